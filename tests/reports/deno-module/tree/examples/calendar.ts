/** Writes the tides of a month as an iCalendar file. */
import { predict, station } from "../mod.ts";
import { now } from "../vendor/temporal-shim/index.js";

const s = await station("flat-holm");
console.log("BEGIN:VCALENDAR");
for (const t of predict(s, new Date(now().epochMilliseconds), { hours: 24 * 30 })) {
  console.log(`BEGIN:VEVENT\nDTSTART:${t.at.toISOString()}\nSUMMARY:${t.kind} ${t.height}\nEND:VEVENT`);
}
console.log("END:VCALENDAR");
