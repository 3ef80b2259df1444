import { assertRejects } from "@std/assert";
import { station } from "./stations.ts";

Deno.test("ids hold no dots", async () => {
  await assertRejects(() => station("../etc/passwd"), TypeError);
});
