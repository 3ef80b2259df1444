import { describe, expect, it } from 'vitest';
import { mayFollow } from './rotation';

describe('mayFollow', () => {
  it('refuses the same family', () => expect(mayFollow('potato', 'tomato')).toBe(false));
  it('takes another family', () => expect(mayFollow('bean', 'kale')).toBe(true));
});
