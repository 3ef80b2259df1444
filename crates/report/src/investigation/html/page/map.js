// The map: an area for each directory, as large as its files, coloured by what somebody wants to know.
const SMALLEST = 900; // An area below this many pixels is drawn as one, whatever is in it.
const STEPS = 7;

// Areas in a rectangle, as square as they can be. Each item has a weight; they come largest first.
function squarified(items, x, y, width, height, put) {
  let sum = items.reduce((so, item) => so + item.weight, 0);
  let first = 0;
  while (first < items.length && 0 < sum && 0 < width && 0 < height) {
    const side = Math.min(width, height);
    const scale = (width * height) / sum;
    let taken = 0;
    let best = Infinity;
    let last = first;
    while (last < items.length) {
      const next = taken + items[last].weight;
      const depth = (next * scale) / side;
      const worst = Math.max(depth / ((items[last].weight * scale) / depth), ((items[first].weight * scale) / depth) / depth);
      if (best < worst) break;
      best = worst;
      taken = next;
      last += 1;
    }
    const depth = (taken * scale) / side;
    let along = 0;
    for (let index = first; index < last; index += 1) {
      const length = (items[index].weight / taken) * side;
      if (width < height) put(items[index], x + along, y, length, depth);
      else put(items[index], x, y + along, depth, length);
      along += length;
    }
    if (width < height) { y += depth; height -= depth; } else { x += depth; width -= depth; }
    sum -= taken;
    first = last;
  }
}

const MODES = {
  size: {
    words: 'Size',
    step: (sums, most) => (sums.bytes / (most.bytes || 1)) ** 0.4,
    low: () => 'small', high: (most) => bytes(most.bytes),
    number: (sums) => bytes(sums.bytes),
  },
  turns: {
    words: 'Attention',
    step: (sums, most) => (sums.turns / (most.turns || 1)) ** 0.4,
    low: () => '0 turns', high: (most) => counted(most.turns, 'turn', 'turns'),
    number: (sums) => counted(sums.turns, 'turn', 'turns'),
  },
  seen: {
    words: 'Coverage',
    step: (sums) => (sums.bytes ? sums.seen / sums.bytes : 1),
    low: () => 'nothing seen', high: () => 'all seen',
    number: (sums) => `${percent(sums.seen, sums.bytes)} seen`,
  },
  flags: { words: 'Flags', number: (sums) => (sums.flags ? counted(sums.flags, 'flag', 'flags') : '') },
};

function startMap() {
  const section = at('map');
  if (!section || !roots.length) return;
  section.hidden = false;
  const tiles = at('map-tiles');
  const top = roots.length === 1 ? roots[0] : { p: '.', name: '.', below: roots, own: null, all: null, flags: [] };
  if (!top.all) {
    top.all = { files: 0, bytes: 0, seen: 0, turns: 0, flags: 0, worst: -1, dirs: 0 };
    for (const root of roots) {
      for (const key of ['files', 'bytes', 'seen', 'turns', 'flags', 'dirs']) top.all[key] += root.all[key];
      top.all.worst = Math.max(top.all.worst, root.all.worst);
    }
  }
  let mode = 'size';
  let here = top;
  let chosen = null;
  let most = null;

  const colour = (sums) => {
    if (mode === 'flags') return sums.worst < 0 ? '' : `flags-${sums.worst}`;
    const share = MODES[mode].step(sums, most);
    return `${mode}${Math.max(0, Math.min(STEPS - 1, Math.floor(share * STEPS)))}`;
  };

  const tile = (dir, sums, words, looks, x, y, width, height) => {
    const made = button('', () => choose(dir, made), `tile ${looks}`);
    Object.assign(made.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    made.tabIndex = -1;
    const number = MODES[mode].number(sums);
    made.title = `${dir.p === '.' ? '.' : `${dir.p}/`} · ${[bytes(sums.bytes), counted(sums.turns, 'turn', 'turns'), `${percent(sums.seen, sums.bytes)} seen`, counted(sums.flags, 'flag', 'flags')].join(' · ')}`;
    made.setAttribute('aria-label', made.title);
    if (30 < width && 14 < height) made.append(make('span', '', words));
    if (44 < width && 34 < height && !looks.includes('group') && number) made.append(make('span', 'number', number));
    made.dir = dir;
    tiles.append(made);
  };

  // What is directly in a directory stands beside what is below it.
  const draw = (dir, x, y, width, height) => {
    const items = dir.below.filter((child) => child.all.bytes).map((child) => ({ dir: child, sums: child.all, weight: child.all.bytes, isWhole: true }));
    if (dir.own && dir.own.bytes) items.push({ dir, sums: dir.own, weight: dir.own.bytes, isWhole: false });
    items.sort((a, b) => b.weight - a.weight);
    const sum = items.reduce((so, item) => so + item.weight, 0);
    const pixels = (width * height) / (sum || 1);
    const isSmall = (item) => item.weight * pixels < SMALLEST / 4;
    const small = items.filter(isSmall);
    const shown = small.length < 2 ? items : items.filter((item) => !isSmall(item));
    if (1 < small.length) {
      const rest = { files: 0, bytes: 0, seen: 0, turns: 0, flags: 0, worst: -1, dirs: 0 };
      for (const { sums } of small) {
        for (const key of ['files', 'bytes', 'seen', 'turns', 'flags', 'dirs']) rest[key] += sums[key];
        rest.worst = Math.max(rest.worst, sums.worst);
      }
      shown.push({ dir, sums: rest, weight: rest.bytes, rest: small.length });
    }
    squarified(shown, x, y, width, height, (item, left, upper, wide, high) => {
      const [w, h] = [Math.max(0, wide - 2), Math.max(0, high - 2)];
      if (item.rest) return tile(item.dir, item.sums, `${item.rest} more`, `rest ${colour(item.sums)}`, left + 1, upper + 1, w, h);
      if (!item.isWhole) return tile(item.dir, item.sums, 'files here', colour(item.sums), left + 1, upper + 1, w, h);
      const name = item.dir.above === dir || !dir.own ? item.dir.name : item.dir.p;
      if (!item.dir.below.length || w * h < 4 * SMALLEST || w < 50 || h < 46) {
        return tile(item.dir, item.sums, name, colour(item.sums), left + 1, upper + 1, w, h);
      }
      tile(item.dir, item.sums, `${name}/`, 'group', left + 1, upper + 1, w, h);
      return draw(item.dir, left + 3, upper + 20, wide - 6, high - 23);
    });
  };

  // The most that lies directly in one directory: what is drawn as one may be more, and is then as dark as can be.
  const mostIn = (dir, so) => {
    if (dir.own) {
      so.bytes = Math.max(so.bytes, dir.own.bytes);
      so.turns = Math.max(so.turns, dir.own.turns);
    }
    for (const child of dir.below) mostIn(child, so);
    return so;
  };

  const show = () => {
    most = mostIn(here, { bytes: 0, turns: 0 });
    tiles.replaceChildren();
    draw(here, 1, 1, tiles.clientWidth - 2, tiles.clientHeight - 2);
    if (tiles.firstElementChild) tiles.firstElementChild.tabIndex = 0;
    way();
    legend();
  };

  const way = () => {
    const steps = [];
    for (let dir = here; dir; dir = dir.above) steps.unshift(dir);
    if (steps[0] !== top) steps.unshift(top);
    at('map-way').replaceChildren(...steps.flatMap((dir, index) => {
      const step = button(dir === top ? data.dirs[0] && top.p === '.' ? 'all' : top.p : dir.name, () => { here = dir; describe(dir); show(); });
      if (dir === here) step.setAttribute('aria-current', 'location');
      return index ? [make('span', 'faint', '/'), step] : [step];
    }));
  };

  const legend = () => {
    const into = at('map-legend');
    if (mode === 'flags') {
      const one = (looks, words) => make('span', 'single', make('i', looks), words);
      into.replaceChildren(one('none', 'no flag'), one('flags-0', 'info'), one('flags-1', 'concern'), one('flags-2', 'critical'));
      return;
    }
    const steps = make('span', 'steps');
    for (let step = 0; step < STEPS; step += 1) steps.append(make('i', `${mode}${step}`));
    const area = mode === 'size' ? '' : make('span', '', 'The area is the size of the files.');
    into.replaceChildren(MODES[mode].low(most), steps, MODES[mode].high(most), area);
  };

  const describe = (dir) => {
    const into = at('map-entry');
    if (!dir.own) { into.replaceChildren(); return; }
    into.replaceChildren(make('h3', '', dir.p === '.' ? './' : `${dir.p}/`), entry(dir),
      button('Show in the list', () => reveal(dir), 'more'));
    into.scrollTop = 0;
  };

  const choose = (dir, made) => {
    describe(dir);
    if (dir !== here && dir.below.length) {
      here = dir;
      show();
      tiles.firstElementChild?.focus({ preventScroll: true });
      return;
    }
    if (chosen) chosen.removeAttribute('aria-current');
    chosen = made;
    chosen.setAttribute('aria-current', 'true');
  };

  // The nearest tile in a direction gets the focus.
  const towards = (from, [dx, dy]) => {
    const middle = (element) => [element.offsetLeft + element.offsetWidth / 2, element.offsetTop + element.offsetHeight / 2];
    const [x, y] = middle(from);
    let best = null;
    let least = Infinity;
    for (const other of tiles.children) {
      const [ox, oy] = middle(other);
      const ahead = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (other !== from && 0 < ahead && ahead + 2 * aside < least) { least = ahead + 2 * aside; best = other; }
    }
    return best;
  };
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  tiles.addEventListener('keydown', (event) => {
    const from = event.target.closest('.tile');
    if (event.key === 'Escape' && here !== top) {
      here = here.above || top;
      describe(here);
      show();
      tiles.firstElementChild?.focus();
    } else if (from && ARROWS[event.key]) {
      event.preventDefault();
      const next = towards(from, ARROWS[event.key]);
      if (!next) return;
      from.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }
  });

  const tools = at('map-tools');
  const hasTurns = dirs.some((dir) => dir.t);
  for (const [name, { words }] of Object.entries(MODES)) {
    if (name === 'turns' && !hasTurns) continue;
    const toggle = button(words, () => {
      mode = name;
      for (const other of tools.children) other.setAttribute('aria-pressed', String(other === toggle));
      show();
    });
    toggle.setAttribute('aria-pressed', String(name === mode));
    tools.append(toggle);
  }
  let width = tiles.clientWidth;
  new ResizeObserver(() => {
    if (width === tiles.clientWidth) return;
    width = tiles.clientWidth;
    show();
  }).observe(tiles);
  describe(top);
  show();
}
