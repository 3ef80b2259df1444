// Directories: who lies in whom, what all below one add up to, and what is known about one.
const dirs = data.dirs;
// What is said about each, in the same order.
const said = at('words') ? at('words').textContent.split('<details class="plain">').slice(1) : [];
dirs.forEach((dir, number) => {
  dir.number = number;
  dir.below = [];
  dir.flags = [];
});
const roots = [];
dirs.forEach((dir) => {
  dir.above = dir.u < 0 ? null : dirs[dir.u];
  (dir.above ? dir.above.below : roots).push(dir);
  dir.name = dir.above && dir.above.p !== '.' ? dir.p.slice(dir.above.p.length + 1) : dir.p;
});
data.flags.forEach((flag) => {
  if (0 <= flag.d) dirs[flag.d].flags.push(flag);
});
// Those above come before those below, so that backwards each is complete before it is added.
for (let number = dirs.length - 1; 0 <= number; number -= 1) {
  const dir = dirs[number];
  const worst = dir.flags.reduce((most, flag) => Math.max(most, flag.v), -1);
  const own = { files: dir.c[0], bytes: dir.c[2], seen: dir.c[3], turns: dir.t ? dir.t[1] : 0, flags: dir.flags.length, worst, dirs: 1 };
  dir.own = own;
  dir.all = { ...own };
  for (const child of dir.below) {
    for (const key of ['files', 'bytes', 'seen', 'turns', 'flags', 'dirs']) dir.all[key] += child.all[key];
    dir.all.worst = Math.max(dir.all.worst, child.all.worst);
  }
}

// What is said about a directory, without the facts before it.
const wordsOf = (dir) => said[dir.number].slice(said[dir.number].indexOf('</p>') + 4, said[dir.number].lastIndexOf('</details>'));
const summaryOf = (dir) => wordsOf(dir).match(/<div class="summary">(.*?)<\/div>/s)[1];

// Lines as the file has them, each with its number.
function quote(from, words) {
  const lines = make('pre', 'quote');
  lines.tabIndex = 0;
  words.replace(/\n$/, '').split('\n').forEach((line, index) => {
    const span = make('span', '', line || ' ');
    span.dataset.line = from ? String(from + index) : '';
    lines.append(span);
  });
  return lines;
}

function place([path, from, to]) {
  if (!from) return path;
  return to <= from ? `${path}:${from}` : `${path}:${from}–${to}`;
}

// A claim as it was written, folded: what it rests on is shown when somebody wants to see it.
function claim(written) {
  const [mark, words, ...rest] = written.children;
  const holds = mark.textContent === '✓';
  const sign = make('span', holds ? 'holds' : 'fails', holds ? '✓' : '✗');
  sign.setAttribute('role', 'img');
  sign.setAttribute('aria-label', holds ? 'verified' : 'not verified');
  const places = rest.filter((one) => one.tagName === 'CODE');
  const item = make('li');
  if (!places.length) {
    item.append(make('div', 'claim-plain', sign, words));
  } else {
    const details = make('details', 'claim cited', make('summary', '', sign, words));
    details.addEventListener('toggle', () => {
      if (details.childElementCount !== 1) return;
      let figure = null;
      let last = '';
      for (const place of places) {
        const lines = rest[rest.indexOf(place) + 1];
        const made = lines && lines.tagName === 'PRE' ? quote(Number(lines.dataset.line), lines.textContent) : '';
        const [path, numbers] = place.textContent.split(/:(?=[\d–]+$)/);
        // Lines of one file stand together.
        if (made && numbers && path === last) {
          figure.firstChild.firstChild.append(`, ${numbers}`);
          figure.lastChild.append(...made.children);
          continue;
        }
        last = made ? path : '';
        details.append(figure = make('figure', '', make('figcaption', '', place), made));
      }
    });
    item.append(details);
  }
  item.append(...rest.filter((one) => one.tagName === 'P'));
  return item;
}

function factsOf(dir) {
  const facts = [counted(dir.n, 'entry', 'entries')];
  if (dir.n) facts.push(`mostly ${dir.k}`);
  facts.push(`${bytes(dir.own.bytes)} directly in it`);
  if (dir.below.length) facts.push(`${bytes(dir.all.bytes)} in all`);
  facts.push(`${percent(dir.own.seen, dir.own.bytes)} seen`);
  if (dir.y) facts.push(`${percent(dir.y[1], dir.y[0])} of ${counted(dir.y[0], 'symbol', 'symbols')}`);
  if (dir.rated !== undefined) facts.push(`rated itself ${percent(dir.rated, 1)} complete`);
  if (dir.sure !== undefined) facts.push(`${percent(dir.sure, 1)} sure`);
  if (dir.t) facts.push(counted(dir.t[1], 'turn', 'turns'));
  if (dir.tokens) facts.push(counted(dir.tokens, 'token', 'tokens'));
  if (dir.cost) facts.push(dir.cost);
  return facts.join(' · ');
}

// What was seen of each file in a directory; made when somebody wants to see it.
const EXTENTS = ['read whole', 'read in parts', 'name and size only', 'left out', 'unreadable'];
function filesOf(dir) {
  const counts = EXTENTS.map((words, extent) => [dir.files.filter((file) => file[1] === extent).length, words]);
  const words = counts.filter(([count]) => count).map(([count, how]) => `${grouped(count)} ${how}`).join(' · ');
  const details = make('details', 'rest', make('summary', '', `${counted(dir.files.length, 'file', 'files')}: ${words}`));
  details.addEventListener('toggle', () => {
    if (details.childElementCount !== 1) return;
    const into = make('div');
    details.append(into);
    pages(into, dir.files, ([name, extent, size, why]) => make('p', 'seen', make('code', '', name),
      ` ${bytes(size)} · ${EXTENTS[extent]}${why ? `: ${why}` : ''}`), '', '');
  });
  return details;
}

// All that is known about a directory.
function entry(dir) {
  const whole = document.createDocumentFragment();
  whole.append(make('p', 'entry-facts', factsOf(dir)));
  const words = built(wordsOf(dir));
  const written = words.querySelector('.claims');
  if (written) written.remove();
  whole.append(words);
  if (dir.files) whole.append(filesOf(dir));
  if (dir.flags.length) {
    const flags = make('ul', 'flags');
    dir.flags.slice(0, PAGE).forEach((flag) => flags.append(flagged(flag)));
    whole.append(make('p', 'sub', counted(dir.flags.length, 'flag', 'flags')), flags);
  }
  if (written) {
    const claims = make('ul', 'claims', ...[...written.children].map(claim));
    whole.append(make('p', 'sub', `${grouped(dir.claims[0])} of ${counted(dir.claims[1], 'claim', 'claims')} verified`), claims);
  }
  return whole;
}
