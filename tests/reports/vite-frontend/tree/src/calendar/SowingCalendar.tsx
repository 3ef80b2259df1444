import { weeks } from './weeks';

/** When to sow what, by week and last frost. */
export function SowingCalendar() {
  return (
    <ol>
      {weeks(new Date().getFullYear()).map((w) => (
        <li key={w}>week {w}</li>
      ))}
    </ol>
  );
}
