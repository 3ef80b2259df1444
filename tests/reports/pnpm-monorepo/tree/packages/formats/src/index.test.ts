import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCsv } from './index';

test('a file of another kind', () => expect(readCsv('x')).toBeNull());

test('the sample of the submodule', () => {
  const text = readFileSync(new URL('../fixtures/plain.csv', import.meta.url), 'utf8');
  expect(readCsv(text)).not.toBeNull();
});
