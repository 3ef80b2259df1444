import { expect, test } from 'bun:test';
import { next } from '../src/rota';

test('nobody', () => {
  expect(() => next([], [])).toThrow();
});

test('fewest rounds first', () => {
  expect(next(['a', 'b'], [{ by: 'a', at: 1 }])).toBe('b');
});

test('then longest ago', () => {
  expect(next(['a', 'b'], [{ by: 'b', at: 1 }, { by: 'a', at: 2 }])).toBe('b');
});
