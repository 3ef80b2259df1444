/** Sums the harmonic constituents of a station at a moment. */
import type { Station } from "./stations.ts";

/** Speeds in degrees per hour. */
export const SPEED = { M2: 28.9841042, S2: 30, N2: 28.4397295, K1: 15.0410686, O1: 13.9430356 };

export type Constituent = keyof typeof SPEED;

/** Height above chart datum in metres at a time in milliseconds since 1970. */
export function height(s: Station, ms: number): number {
  const hours = ms / 3_600_000;
  let h = s.mean;
  for (const [name, { amplitude, phase }] of Object.entries(s.constituents)) {
    const angle = SPEED[name as Constituent] * hours - phase;
    h += amplitude * Math.cos((angle * Math.PI) / 180);
  }
  return h;
}
