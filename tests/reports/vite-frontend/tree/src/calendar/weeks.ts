/** Weeks of a year by ISO 8601. */
export function weeks(year: number): number[] {
  const jan1 = new Date(Date.UTC(year, 0, 1)).getUTCDay();
  const leap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
  const n = jan1 === 4 || (leap && jan1 === 3) ? 53 : 52;
  return Array.from({ length: n }, (_, i) => i + 1);
}
