/** Words that say nothing in a URL, by language. */
export const STOP_WORDS = {
  en: ['a', 'an', 'and', 'of', 'the'],
  de: ['der', 'die', 'das', 'ein', 'eine', 'und'],
  fr: ['le', 'la', 'les', 'un', 'une', 'et'],
};
