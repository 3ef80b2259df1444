import assert from 'node:assert';
import { find } from '../src/index.ts';

const cards = [
  { title: 'Harbour', text: 'boats and ropes' },
  { title: 'Boat', text: 'a hull' },
];

describe('find', () => {
  it('finds nothing without words', () => assert.equal(find(cards, '').length, 0));
  it('puts titles first', () => assert.equal(find(cards, 'boat')[0].title, 'Boat'));
  it('wants all words', () => assert.equal(find(cards, 'boat rope').length, 1));
});
