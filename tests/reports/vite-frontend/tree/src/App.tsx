import { BrowserRouter, Route, Routes } from 'react-router-dom';
import { BedGrid } from './beds/BedGrid';
import { SowingCalendar } from './calendar/SowingCalendar';
import { SiteMap } from './map/SiteMap';

export function App() {
  return (
    <BrowserRouter>
      <Routes>
        <Route path="/" element={<SiteMap />} />
        <Route path="/beds/:bed" element={<BedGrid />} />
        <Route path="/calendar" element={<SowingCalendar />} />
      </Routes>
    </BrowserRouter>
  );
}
