import { createRoot } from 'react-dom/client';
import { Logbook } from './Logbook';

createRoot(document.getElementById('root')!).render(<Logbook person="me" />);
