/** Decides whose turn it is: fewest rounds first, then longest ago. */
export interface Round {
  by: string;
  at: number;
}

export function next(people: string[], rounds: Round[]): string {
  if (people.length === 0) throw new Error('nobody drinks tea');
  const made = (p: string) => rounds.filter((r) => r.by === p);
  return [...people].sort((a, b) => {
    const byCount = made(a).length - made(b).length;
    if (byCount !== 0) return byCount;
    return (made(a).at(-1)?.at ?? 0) - (made(b).at(-1)?.at ?? 0);
  })[0];
}
