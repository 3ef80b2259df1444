// Directories as a tree: what is in one is made when it is opened.
function gist(dir) {
  const first = summaryOf(dir).match(/<(p|li)>(.*?)<\/\1>/s);
  const words = make('span', 'gist', first ? built(first[2]) : '');
  // A summary that begins with its own name says what the row already says.
  const name = words.firstChild;
  if (name && name.tagName === 'CODE' && name.textContent === dir.p) {
    name.remove();
    const rest = words.firstChild;
    if (rest && rest.nodeType === Node.TEXT_NODE) rest.nodeValue = rest.nodeValue.replace(/^[\s,;:]+/, '');
  }
  return words;
}

// What is searched in, made when somebody searches.
function plain(dir) {
  if (dir.plain === undefined) dir.plain = `${dir.p}\n${unescaped(summaryOf(dir).replace(/<[^>]*>/g, ' '))}`.toLowerCase();
  return dir.plain;
}

function row(dir, name) {
  const badges = make('span', 'badges');
  if (0 <= dir.all.worst) {
    const dot = make('span', `dot ${SEVERITIES[dir.all.worst]}`);
    dot.title = `${counted(dir.all.flags, 'flag', 'flags')}, worst: ${SEVERITIES[dir.all.worst]}`;
    dot.setAttribute('role', 'img');
    dot.setAttribute('aria-label', dot.title);
    badges.append(dot);
  }
  const filled = make('i');
  const seen = dir.all.bytes ? dir.all.seen / dir.all.bytes : 1;
  filled.style.width = `${Math.round(100 * seen)}%`;
  const meter = make('span', 'meter', filled);
  meter.title = `${percent(dir.all.seen, dir.all.bytes)} seen`;
  badges.append(meter, make('span', 'size', bytes(dir.all.bytes)));
  return make('summary', '', make('span', 'name', name), gist(dir), badges);
}

function folded(dir, name) {
  const details = make('details', 'dir', row(dir, name));
  details.id = `dir-${dir.number}`;
  details.addEventListener('toggle', () => fill(dir, details));
  return details;
}

// A single one at the top stands beside what is in it: nobody should have to open it to see anything.
const isOverall = (dir) => roots.length === 1 && dir === roots[0];

function fill(dir, details) {
  if (details.dataset.filled || !details.open) return;
  details.dataset.filled = 'yes';
  details.append(make('div', 'inside', entry(dir)));
  if (dir.below.length && !isOverall(dir)) {
    const below = make('div', 'below');
    details.append(below);
    pages(below, dir.below, (child) => folded(child, `${child.name}/`), '', '');
  }
}

// Opens everything on the way to a directory, and goes there.
function reveal(dir) {
  search('');
  const way = [];
  for (let here = dir; here && !(isOverall(here) && here !== dir); here = here.above) way.unshift(here);
  let element = null;
  for (const here of way) {
    element = at(`dir-${here.number}`);
    while (!element) {
      const list = here === way[0] ? at('tree') : at(`dir-${here.above.number}`).querySelector(':scope > .below');
      const more = list.querySelector(':scope > .more:not([hidden])');
      if (!more) return;
      more.click();
      element = at(`dir-${here.number}`);
    }
    element.open = true;
    fill(here, element);
  }
  element.scrollIntoView({ block: 'start' });
  element.querySelector('summary').focus({ preventScroll: true });
}

let search = () => {};

function startTree() {
  const into = at('tree');
  if (!into) return;
  const input = make('input');
  input.type = 'search';
  input.placeholder = 'Find directories';
  input.setAttribute('aria-label', 'Find directories by path or summary');
  const kinds = new Option('all', '');
  const select = make('select', '', kinds);
  select.setAttribute('aria-label', 'Which directories');
  const is = {
    flagged: (dir) => 0 < dir.flags.length,
    partial: (dir) => dir.partial,
    'not all verified': (dir) => dir.claims && dir.claims[0] < dir.claims[1],
    'half unseen': (dir) => dir.own.bytes && dir.own.seen * 2 < dir.own.bytes,
  };
  for (const kind of Object.keys(is)) if (dirs.some(is[kind])) select.append(new Option(kind, kind));
  const count = make('span', 'faint');
  count.setAttribute('role', 'status');
  const show = () => {
    const words = input.value.trim().toLowerCase();
    const kind = is[select.value];
    if (!words && !kind) {
      count.textContent = '';
      const first = roots.length === 1 ? [roots[0], ...roots[0].below] : roots;
      pages(into, first, (dir) => folded(dir, dir.p === '.' ? './' : `${dir.p}/`), '', '');
      return;
    }
    const found = dirs.filter((dir) => (!kind || kind(dir)) && (!words || plain(dir).includes(words)));
    count.textContent = `${grouped(found.length)} found`;
    pages(into, found, (dir) => folded(dir, `${dir.p}/`), '', 'No directory is like that.');
  };
  search = (words) => {
    if (!input.value && !select.value && !words) return;
    input.value = words;
    select.value = '';
    show();
  };
  input.addEventListener('input', show);
  select.addEventListener('change', show);
  at('tree-tools').append(...(1 < select.length ? [select] : []), input, count);
  show();
  // On paper nothing can be opened; of a report that fits on some pages everything is printed.
  window.addEventListener('beforeprint', () => {
    if (300 < dirs.length) return;
    dirs.forEach((dir) => {
      const element = at(`dir-${dir.number}`);
      if (element) { element.open = true; fill(dir, element); }
    });
  });
}
