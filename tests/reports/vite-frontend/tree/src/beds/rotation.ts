/** Crop rotation: a family may not follow itself within three years. */
const FAMILY: Record<string, string> = {
  potato: 'nightshade',
  tomato: 'nightshade',
  bean: 'legume',
  pea: 'legume',
  kale: 'brassica',
};

export function mayFollow(previous: string, next: string): boolean {
  return FAMILY[previous] !== FAMILY[next];
}
