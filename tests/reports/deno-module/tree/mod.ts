/**
 * Predict tides from harmonic constants.
 *
 * @example
 * ```ts
 * import { predict, station } from "@saltmarsh/tides";
 * const s = await station("dunwich-quay");
 * console.log(predict(s, new Date(), { hours: 12 }));
 * ```
 * @module
 */
import { height } from "./harmonics.ts";
import type { Station } from "./stations.ts";

export { type Station, station } from "./stations.ts";
export { height } from "./harmonics.ts";

/** One turn of the tide. */
export interface Turn {
  at: Date;
  kind: "high" | "low";
  height: number;
}

/** High and low waters of a station within a span of hours. */
export function predict(s: Station, from: Date, { hours = 24 } = {}): Turn[] {
  const step = 5 * 60_000;
  const turns: Turn[] = [];
  for (let t = from.getTime(); t < from.getTime() + hours * 3_600_000; t += step) {
    const [a, b, c] = [t - step, t, t + step].map((x) => height(s, x));
    if (b > a && b >= c) turns.push({ at: new Date(t), kind: "high", height: b });
    if (b < a && b <= c) turns.push({ at: new Date(t), kind: "low", height: b });
  }
  return turns;
}
