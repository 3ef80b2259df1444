/** Keeps cards and the links between them in one SQLite file. */
import Database from 'better-sqlite3';

export interface Card {
  id: number;
  title: string;
  text: string;
}

/** Cards that a text links to: [[12]]. */
export function links(text: string): number[] {
  return [...text.matchAll(/\[\[(\d+)\]\]/g)].map((m) => Number(m[1]));
}

export function openStore(file: string) {
  const db = new Database(file);
  db.exec('CREATE TABLE IF NOT EXISTS cards (id INTEGER PRIMARY KEY, title TEXT, text TEXT)');
  return {
    all: () => db.prepare('SELECT * FROM cards').all() as Card[],
    add: (title: string, text: string) => db.prepare('INSERT INTO cards (title, text) VALUES (?, ?)').run(title, text),
  };
}
