// What the plan gave to directories, and what they used.
function planned(dir, most) {
  const [given, used, borrowed] = dir.t;
  const bar = (looks, from, turns) => {
    const made = make('i', looks);
    made.style.left = `${(100 * from) / most}%`;
    made.style.width = `${(100 * turns) / most}%`;
    return made;
  };
  const own = Math.min(used, given);
  const bars = make('span', 'bars', bar('given', 0, given));
  if (own) bars.append(bar('used', 0, own));
  if (own < used) bars.append(bar('borrowed', own, used - own));
  const label = make('span', 'label', make('bdi', '', dir.p));
  label.title = dir.p;
  const more = borrowed ? ` · ${borrowed} borrowed` : '';
  return make('div', 'row', label, bars, make('span', 'numbers', `${used} of ${given}${more}`));
}

function startPlan() {
  const into = at('plan-chart');
  if (!into) return;
  const rows = dirs.filter((dir) => dir.t);
  const most = rows.reduce((so, dir) => Math.max(so, dir.t[0], dir.t[1]), 1);
  const orders = {
    'most used': (a, b) => b.t[1] - a.t[1] || b.t[0] - a.t[0],
    'most borrowed': (a, b) => b.t[2] - a.t[2] || b.t[1] - a.t[1],
    'most left over': (a, b) => b.t[3] - a.t[3] || b.t[0] - a.t[0],
    'by path': (a, b) => a.number - b.number,
  };
  const key = (looks, words) => make('span', '', make('i', looks), words);
  const keys = make('div', 'keys', key('given', 'allocated'), key('used', 'used'), key('borrowed', 'used of borrowed turns'));
  const chart = make('div');
  into.append(keys, chart);
  const select = make('select', '', ...Object.keys(orders).map((order) => new Option(order, order)));
  select.setAttribute('aria-label', 'Order of the chart');
  const show = () => pages(chart, [...rows].sort(orders[select.value]), (dir) => planned(dir, most), 'chart', 'No turns were planned.');
  select.addEventListener('change', show);
  at('plan-tools').append(select);
  show();
}
