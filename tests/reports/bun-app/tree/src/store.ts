/** People and rounds in one SQLite file. */
import { Database } from 'bun:sqlite';
import type { Round } from './rota';

export function openStore(file: string) {
  const db = new Database(file, { create: true });
  db.run('CREATE TABLE IF NOT EXISTS rounds (by TEXT NOT NULL, at INTEGER NOT NULL)');
  return {
    add(r: Round) {
      db.run('INSERT INTO rounds (by, at) VALUES (?, ?)', [r.by, r.at]);
    },
    rounds(): Round[] {
      return db.query('SELECT by, at FROM rounds ORDER BY at').all() as Round[];
    },
    people(): string[] {
      return db.query('SELECT DISTINCT by FROM rounds').all().map((r: any) => r.by);
    },
  };
}
