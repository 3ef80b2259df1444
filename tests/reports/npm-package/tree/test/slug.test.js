import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slug } from '../src/index.js';

test('words are joined with hyphens', () => {
  assert.equal(slug('Hello World'), 'hello-world');
});

test('accents go', () => {
  assert.equal(slug('Crème brûlée'), 'creme-brulee');
});

test('stop words of a language', () => {
  assert.equal(slug('The Quick Fox', { stopWords: 'en' }), 'quick-fox');
});

test('maxLength cuts between words', () => {
  assert.equal(slug('alpha beta gamma', { maxLength: 11 }), 'alpha-beta');
});
