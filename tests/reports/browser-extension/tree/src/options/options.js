// Lists the sites on which Quietpage is off.
const { off = [] } = await chrome.storage.local.get('off');
document.querySelector('#sites').append(
  ...off.map((h) => Object.assign(document.createElement('li'), { textContent: h })),
);
