// Day or night, and everything else.
function startTheme() {
  const themes = ['auto', 'light', 'dark'];
  const toggle = at('theme');
  // Where nothing may be kept, it is chosen again next time.
  const keep = (theme) => { try { localStorage.setItem('luminos-theme', theme); } catch { /* nothing to do */ } };
  const kept = () => { try { return localStorage.getItem('luminos-theme'); } catch { return null; } };
  const set = (theme) => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    toggle.textContent = `Theme: ${theme}`;
    toggle.dataset.theme = theme;
  };
  set(themes.includes(kept()) ? kept() : 'auto');
  toggle.addEventListener('click', () => {
    const next = themes[(themes.indexOf(toggle.dataset.theme) + 1) % themes.length];
    set(next);
    keep(next);
  });
  toggle.hidden = false;
}

startTheme();
startMap();
startFlags();
startTree();
startPlan();
document.documentElement.dataset.ready = 'yes';
