import { useEffect, useState } from 'react';
import type { Dive } from '@lanternfish/core';

/** The dives of a person, newest first. */
export function Logbook({ person }: { person: string }) {
  const [dives, setDives] = useState<Dive[]>([]);
  useEffect(() => {
    fetch(`/api/members/${person}/dives`).then((r) => r.json()).then(setDives);
  }, [person]);
  return <ol>{dives.map((d) => <li key={d.start}>{d.site}, {d.maxDepth} m</li>)}</ol>;
}
