/**
 * Turns titles into URL slugs.
 * @module slugline
 */
import { transliterate } from './transliterate.js';
import { STOP_WORDS } from './stopwords.js';

export { uniqueSlug } from './unique.js';

/**
 * @param {string} title
 * @param {{ separator?: string, stopWords?: string | string[], maxLength?: number }} [options]
 * @returns {string}
 */
export function slug(title, { separator = '-', stopWords = [], maxLength = 80 } = {}) {
  const stop = new Set(Array.isArray(stopWords) ? stopWords : (STOP_WORDS[stopWords] ?? []));
  const words = transliterate(title)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((w) => w && !stop.has(w));
  let out = '';
  for (const w of words) {
    const next = out ? out + separator + w : w;
    if (next.length > maxLength) break;
    out = next;
  }
  return out;
}
