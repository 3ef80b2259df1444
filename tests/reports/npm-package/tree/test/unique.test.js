import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uniqueSlug } from '../src/index.js';

test('a free slug stays', async () => {
  assert.equal(await uniqueSlug('Home', () => false), 'home');
});

test('a taken slug gets a number', async () => {
  assert.equal(await uniqueSlug('Home', (s) => s === 'home'), 'home-2');
});

test('numbers go on', async () => {
  const taken = new Set(['home', 'home-2']);
  assert.equal(await uniqueSlug('Home', (s) => taken.has(s)), 'home-3');
});
