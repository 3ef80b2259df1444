import assert from 'node:assert';
import { links } from '../src/index.ts';

describe('links', () => {
  it('finds none', () => assert.deepEqual(links('plain'), []));
  it('finds two', () => assert.deepEqual(links('see [[3]] and [[14]]'), [3, 14]));
});
