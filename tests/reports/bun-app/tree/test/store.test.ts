import { expect, test } from 'bun:test';
import { openStore } from '../src/store';

test('empty', () => {
  expect(openStore(':memory:').rounds()).toEqual([]);
});

test('people are those who made tea', () => {
  const s = openStore(':memory:');
  s.add({ by: 'a', at: 1 });
  expect(s.people()).toEqual(['a']);
});
