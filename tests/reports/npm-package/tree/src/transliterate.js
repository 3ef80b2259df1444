/** Maps letters of other scripts to ASCII, by tables and, for Latin, by decomposition. */
import { decompose } from './vendor/hangul-lite.js';

const CYRILLIC = { а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', и: 'i', м: 'm', п: 'p', р: 'r', т: 't' };
const GREEK = { α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', λ: 'l', ο: 'o' };
const TABLE = { ...CYRILLIC, ...GREEK, ß: 'ss', æ: 'ae', ø: 'o' };

export function transliterate(text) {
  return [...decompose(text).normalize('NFKD')]
    .map((c) => TABLE[c.toLowerCase()] ?? c)
    .join('')
    .replace(/\p{Mn}/gu, '');
}
