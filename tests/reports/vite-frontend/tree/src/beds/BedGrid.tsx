import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { fetchBed } from '../api/client';
import { mayFollow } from './rotation';

/** One bed as a grid of squares; squares that break the rotation are marked. */
export function BedGrid() {
  const { bed = '' } = useParams();
  const { data } = useQuery({ queryKey: ['bed', bed], queryFn: () => fetchBed(bed) });
  if (!data) return <p>Loading…</p>;
  return (
    <table>
      <tbody>
        {data.crops.map((crop, i) => (
          <tr key={i}>
            <td className={crop && !mayFollow(crop, crop) ? 'clash' : ''}>{crop}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
