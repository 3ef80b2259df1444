// The window: asks for cards while you type.
import { ipcRenderer } from 'electron';
import type { Card } from '@foxfile/store';

const input = document.querySelector<HTMLInputElement>('#find')!;
const list = document.querySelector('#cards')!;

input.addEventListener('input', async () => {
  const cards: Card[] = await ipcRenderer.invoke('find', input.value);
  list.innerHTML = cards.map((c) => `<li>${c.title}</li>`).join('');
});
