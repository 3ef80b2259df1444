/** Calls of the allotment API, typed. */
const base = import.meta.env.VITE_API_URL ?? '/api/v1';

export interface Bed {
  id: string;
  width: number;
  height: number;
  crops: (string | null)[];
}

export async function fetchBed(id: string): Promise<Bed> {
  const r = await fetch(`${base}/beds/${encodeURIComponent(id)}`);
  if (!r.ok) throw new Error(`bed ${id}: ${r.status}`);
  return r.json();
}
