// Elements, texts and numbers. Whatever is shown becomes a text node: there is no way from a text to markup here.
const data = JSON.parse(document.getElementById('data').textContent);
const at = (id) => document.getElementById(id);
const SEVERITIES = ['info', 'concern', 'critical'];
// What is shown of a long list before somebody asks for more.
const PAGE = 50;

function make(tag, looks, ...inside) {
  const element = document.createElement(tag);
  if (looks) element.className = looks;
  for (const part of inside) if (part !== null && part !== undefined && part !== '') element.append(part);
  return element;
}

function button(words, onClick, looks) {
  const made = make('button', looks, words);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

// Words between backticks are code.
function inline(text) {
  const pieces = text.split('`');
  const whole = document.createDocumentFragment();
  if (pieces.length % 2 === 0) {
    whole.append(text);
    return whole;
  }
  pieces.forEach((piece, index) => {
    if (piece) whole.append(index % 2 ? make('code', '', piece) : piece);
  });
  return whole;
}

// What we wrote for readers without a script, of which the browser made no elements: only these come of it, with
// these attributes; everything else in it is text.
const OURS = new Set(['b', 'code', 'div', 'li', 'p', 'pre', 'span', 'strong', 'ul']);
const CHARACTERS = { amp: '&', lt: '<', gt: '>', quot: '"' };
const unescaped = (text) => text.replace(/&(?:#(\d+)|([a-z]+));/g, (_, code, name) => (code ? String.fromCharCode(code) : CHARACTERS[name]));

function built(markup) {
  const whole = document.createDocumentFragment();
  const open = [whole];
  for (const piece of markup.split(/(<[^>]*>)/).filter(Boolean)) {
    const into = open[open.length - 1];
    const tag = piece.match(/^<(\/?)([a-z]+)(?: class="([a-z]+)")?(?: data-line="(\d+)")?>$/);
    if (!tag || !OURS.has(tag[2])) {
      into.append(unescaped(piece));
    } else if (tag[1]) {
      open.pop();
    } else {
      const element = make(tag[2], tag[3]);
      if (tag[4]) element.dataset.line = tag[4];
      into.append(element);
      open.push(element);
    }
  }
  return whole;
}

const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
const counted = (value, one, many) => `${grouped(value)} ${value === 1 ? one : many}`;
const percent = (part, whole) => `${Math.round(whole ? (100 * part) / whole : 100)} %`;

function bytes(size) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  while (1024 <= size && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return unit ? `${size.toFixed(1)} ${units[unit]}` : `${size} B`;
}

// A list that grows when somebody asks for more. Only what is shown is made.
function pages(into, all, makeOne, looks, none) {
  into.replaceChildren();
  if (!all.length) {
    into.append(make('p', 'empty', none));
    return;
  }
  const list = make(looks === 'flags' ? 'ul' : 'div', looks);
  let shown = 0;
  const more = button('', () => grow());
  more.className = 'more';
  const grow = () => {
    all.slice(shown, shown + PAGE).forEach((one) => list.append(makeOne(one)));
    shown = Math.min(all.length, shown + PAGE);
    more.hidden = shown === all.length;
    more.textContent = `Show more: ${grouped(all.length - shown)} left`;
  };
  into.append(list, more);
  grow();
}
