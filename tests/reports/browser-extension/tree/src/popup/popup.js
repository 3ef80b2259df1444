// The switch for the site of the current tab.
const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
const host = new URL(tab.url).hostname;
const box = document.querySelector('#off');
const { off = [] } = await chrome.storage.local.get('off');
box.checked = off.includes(host);
box.addEventListener('change', () => {
  const next = box.checked ? [...off, host] : off.filter((h) => h !== host);
  chrome.storage.local.set({ off: next });
});
document.querySelector('[data-i18n]').textContent = chrome.i18n.getMessage('popupOff');
