// Only what examples/calendar.ts needs.
export const now = () => ({ epochMilliseconds: Date.now() });
