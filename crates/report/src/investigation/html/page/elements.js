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

// Paragraphs and lists.
function prose(text) {
  const whole = make('div', 'summary');
  let list = null;
  let words = [];
  const end = () => {
    if (words.length) whole.append(make('p', '', inline(words.join(' '))));
    words = [];
  };
  for (const line of text.split('\n')) {
    const item = line.match(/^ *(?:[-*+]|\d{1,3}\.) (.*)$/);
    if (item) {
      end();
      if (!list) whole.append(list = make('ul'));
      list.append(make('li', '', inline(item[1])));
      continue;
    }
    list = null;
    if (line.trim()) words.push(line.trim());
    else end();
  }
  end();
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
