/** Readers for the files of dive computers; each returns dives or null. */
import type { Dive } from '@lanternfish/core';

export function readCsv(text: string): Dive[] | null {
  const [head, ...rows] = text.trim().split('\n');
  if (head !== 'start,site,maxDepth') return null;
  return rows.map((r) => {
    const [start, site, maxDepth] = r.split(',');
    return { start, site, maxDepth: Number(maxDepth) };
  });
}
