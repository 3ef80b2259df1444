// Loads rules and finds those of a host.
let all = [];

export async function loadRules() {
  const files = ['rules/common.json', 'rules/news.json'];
  const parts = await Promise.all(files.map((f) => fetch(chrome.runtime.getURL(f)).then((r) => r.json())));
  all = parts.flat();
}

export function rulesFor(host) {
  return all.filter((r) => !r.hosts || r.hosts.some((h) => host === h || host.endsWith(`.${h}`)));
}
