import L from 'leaflet';
import { useEffect, useRef } from 'react';

/** The allotment on a map; a click opens a bed. */
export function SiteMap() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const map = L.map(ref.current!).setView([53.4, -2.2], 18);
    L.tileLayer('https://tile.openstreetmap.org/{z}/{x}/{y}.png', { attribution: '© OpenStreetMap' }).addTo(map);
    return () => void map.remove();
  }, []);
  return <div ref={ref} className="map" />;
}
