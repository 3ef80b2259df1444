import { assertAlmostEquals } from "@std/assert";
import { height } from "./harmonics.ts";

Deno.test("no constituents: the mean", () => {
  assertAlmostEquals(height({ name: "x", mean: 2, constituents: {} }, 0), 2);
});

Deno.test("amplitude at phase zero", () => {
  assertAlmostEquals(height({ name: "x", mean: 0, constituents: { S2: { amplitude: 1, phase: 0 } } }, 0), 1);
});
