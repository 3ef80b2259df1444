/** Prints today's tides of a station. */
import { parseArgs } from "@std/cli/parse-args";
import { predict, station } from "./mod.ts";

if (import.meta.main) {
  const args = parseArgs(Deno.args, { default: { hours: 24 } });
  const s = await station(String(args._[0]));
  for (const t of predict(s, new Date(), { hours: args.hours })) {
    console.log(t.at.toISOString().slice(11, 16), t.kind.padEnd(4), t.height.toFixed(2), "m");
  }
}
