import { assert, assertEquals } from "@std/assert";
import { predict, station } from "./mod.ts";

Deno.test("four turns on most days", async () => {
  const s = await station("dunwich-quay");
  const n = predict(s, new Date("2024-09-01T00:00Z")).length;
  assert(n >= 3 && n <= 5);
});

Deno.test("highs and lows alternate", async () => {
  const s = await station("flat-holm");
  const kinds = predict(s, new Date("2024-09-01T00:00Z")).map((t) => t.kind);
  for (let i = 1; i < kinds.length; i++) assert(kinds[i] !== kinds[i - 1]);
});

Deno.test("no hours, no turns", async () => {
  assertEquals(predict(await station("flat-holm"), new Date(0), { hours: 0 }), []);
});
