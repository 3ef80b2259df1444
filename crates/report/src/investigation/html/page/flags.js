// Flags, and which of them are shown.
function flagged(flag) {
  const word = flag.u ? 'unproved' : SEVERITIES[flag.v];
  const cited = flag.e || [];
  const where = cited.length ? place(cited[0]) : flag.p === '.' ? '' : flag.p;
  const head = make('p', '', make('strong', 'severity', word), flag.b ? make('span', 'fresh', flag.b) : '',
    where ? make('code', '', where) : '');
  if (flag.r) head.append(make('span', 'rule', flag.r));
  const item = make('li', `flag ${word}`, head, make('p', '', inline(flag.t)));
  if (cited.length && cited[0][3]) item.append(quote(cited[0][1], cited[0][3]));
  if (1 < cited.length) {
    const more = 6 < cited.length ? ` and ${cited.length - 6} more` : '';
    item.append(make('p', 'also', `Also ${cited.slice(1, 6).map(place).join(', ')}${more}`));
  }
  return item;
}

function startFlags() {
  if (!data.flags.length) return;
  const wanted = { severities: new Set([0, 1, 2]), rule: '', words: '', fresh: false };
  const into = at('flags-list');
  const show = () => {
    const words = wanted.words.toLowerCase();
    const found = data.flags.filter((flag) => wanted.severities.has(flag.v)
      && (!wanted.rule || flag.r === wanted.rule)
      && (!wanted.fresh || flag.b)
      && (!words || `${flag.p} ${flag.t} ${flag.r || ''}`.toLowerCase().includes(words)));
    pages(into, found, flagged, 'flags', 'No flag is like that.');
    count.textContent = found.length === data.flags.length ? '' : `${grouped(found.length)} shown`;
  };
  const count = make('span', 'faint');
  count.setAttribute('role', 'status');
  const tools = at('flags-tools');
  for (const severity of [2, 1, 0]) {
    const there = data.flags.filter((flag) => flag.v === severity && !flag.u).length;
    if (!there) continue;
    const toggle = button(`${SEVERITIES[severity]} ${grouped(there)}`, () => {
      const isOn = !wanted.severities.delete(severity);
      if (isOn) wanted.severities.add(severity);
      toggle.setAttribute('aria-pressed', String(isOn));
      show();
    });
    toggle.setAttribute('aria-pressed', 'true');
    tools.append(toggle);
  }
  const fresh = data.flags.filter((flag) => flag.b).length;
  if (fresh) {
    const toggle = button(`only new ${grouped(fresh)}`, () => {
      wanted.fresh = !wanted.fresh;
      toggle.setAttribute('aria-pressed', String(wanted.fresh));
      show();
    });
    toggle.setAttribute('aria-pressed', 'false');
    tools.append(toggle);
  }
  const rules = [...new Set(data.flags.map((flag) => flag.r).filter(Boolean))].sort();
  if (1 < rules.length) {
    const select = make('select');
    select.setAttribute('aria-label', 'Show the flags of one rule');
    select.append(new Option('all rules', ''), ...rules.map((rule) => new Option(rule, rule)));
    select.addEventListener('change', () => { wanted.rule = select.value; show(); });
    tools.append(select);
  }
  const search = make('input');
  search.type = 'search';
  search.placeholder = 'Filter flags';
  search.setAttribute('aria-label', 'Filter flags by path or words');
  search.addEventListener('input', () => { wanted.words = search.value.trim(); show(); });
  tools.append(search, count);
  show();
}
