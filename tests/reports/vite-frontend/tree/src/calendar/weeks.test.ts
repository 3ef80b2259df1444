import { expect, it } from 'vitest';
import { weeks } from './weeks';

it('2024 has 52 weeks', () => expect(weeks(2024)).toHaveLength(52));
it('2026 has 53 weeks', () => expect(weeks(2026)).toHaveLength(53));
