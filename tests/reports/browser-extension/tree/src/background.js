// The background script: loads the rules, injects the answerer, keeps the switch per site.
import { loadRules, rulesFor } from './rules.js';

const ready = loadRules();

chrome.webNavigation.onDOMContentLoaded.addListener(async ({ tabId, frameId, url }) => {
  const { off = [] } = await chrome.storage.local.get('off');
  const host = new URL(url).hostname;
  if (off.includes(host)) return;
  await ready;
  const rules = rulesFor(host);
  if (rules.length > 0) {
    chrome.tabs.sendMessage(tabId, { type: 'answer', rules }, { frameId });
  }
});
