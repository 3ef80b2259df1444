import { describe, expect, it } from 'vitest';
import { ambient, maxOperatingDepth, ppO2 } from './index';

describe('ambient', () => {
  it('is one atmosphere at the surface', () => expect(ambient(0)).toBeCloseTo(1.013));
  it('is two at ten metres', () => expect(ambient(10)).toBeCloseTo(2.013));
});

describe('gases', () => {
  it('air at 30 m', () => expect(ppO2(30, 0.21)).toBeCloseTo(0.84, 1));
  it('limit of nitrox 32', () => expect(maxOperatingDepth(0.32)).toBe(33));
});
