/** Reads stations from data/. */
import type { Constituent } from "./harmonics.ts";

export interface Station {
  name: string;
  mean: number;
  constituents: Partial<Record<Constituent, { amplitude: number; phase: number }>> & object;
}

/** Load a station by its id. Needs permission to read data/. */
export async function station(id: string): Promise<Station> {
  if (!/^[a-z-]+$/.test(id)) throw new TypeError(`no station id: ${id}`);
  return JSON.parse(await Deno.readTextFile(new URL(`data/${id}.json`, import.meta.url)));
}
