/** Dive profiles, gases and decompression. Pure: no I/O. */
export interface Dive {
  start: string;
  site: string;
  maxDepth: number;
}

/** Ambient pressure in bar at a depth in metres of sea water. */
export function ambient(depth: number): number {
  return 1.013 + depth / 10;
}

/** Partial pressure of oxygen for a share of it in the mix. */
export function ppO2(depth: number, share: number): number {
  return ambient(depth) * share;
}

/** Deepest depth at which a mix may be breathed. */
export function maxOperatingDepth(share: number, limit = 1.4): number {
  return Math.floor((limit / share - 1.013) * 10);
}
