// The main process: opens the window and the store.
import { app, BrowserWindow, ipcMain } from 'electron';
import { join } from 'node:path';
import { openStore } from '@foxfile/store';
import { find } from '@foxfile/search';

app.whenReady().then(() => {
  const store = openStore(join(app.getPath('userData'), 'cards.db'));
  ipcMain.handle('find', (_event, words: string) => find(store.all(), words));
  const window = new BrowserWindow({
    width: 1100,
    height: 700,
    webPreferences: { nodeIntegration: true, contextIsolation: false },
  });
  window.loadFile('index.html');
});

app.on('window-all-closed', () => app.quit());
