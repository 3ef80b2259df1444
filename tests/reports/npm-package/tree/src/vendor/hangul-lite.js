/*!
 * hangul-lite 0.3.1 | (c) 2014 J. Park | Apache-2.0
 * Cut down to decompose().
 */
const LEAD = 'g kk n d tt r m b pp s ss _ j jj ch k t p h'.split(' ');
const VOWEL = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');

export function decompose(text) {
  return text.replace(/[\uac00-\ud7a3]/g, (c) => {
    const n = c.charCodeAt(0) - 0xac00;
    return LEAD[Math.floor(n / 588)].replace('_', '') + VOWEL[Math.floor((n % 588) / 28)];
  });
}
