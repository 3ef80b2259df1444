// Runs in every page: waits for a consent dialog and answers it.
(() => {
  const click = (selector) => {
    const el = document.querySelector(selector);
    if (el) el.click();
    return Boolean(el);
  };

  function answer(rule) {
    if (!document.querySelector(rule.see)) return false;
    if (rule.refuse.every(click)) return true;
    if (rule.hide) document.documentElement.insertAdjacentHTML('beforeend', `<style>${rule.hide}{display:none!important}</style>`);
    return Boolean(rule.hide);
  }

  chrome.runtime.onMessage.addListener((m) => {
    if (m.type !== 'answer') return;
    const seek = new MutationObserver(() => m.rules.some(answer) && seek.disconnect());
    seek.observe(document.documentElement, { childList: true, subtree: true });
    m.rules.some(answer);
  });
})();
