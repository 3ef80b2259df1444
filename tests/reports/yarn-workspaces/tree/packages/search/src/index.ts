/** Full-text search over cards: all words must occur, titles weigh more. */
import { stem } from './vendor/porter-mini.ts';

interface Text {
  title: string;
  text: string;
}

export function find<T extends Text>(cards: T[], words: string): T[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean).map(stem);
  const score = (c: T) => {
    let sum = 0;
    for (const w of wanted) {
      const inTitle = c.title.toLowerCase().includes(w);
      if (!inTitle && !c.text.toLowerCase().includes(w)) return 0;
      sum += inTitle ? 3 : 1;
    }
    return sum;
  };
  return cards.filter((c) => score(c) > 0).sort((a, b) => score(b) - score(a));
}
