/** Makes slugs unique by asking the caller which are taken. */
import { slug } from './index.js';

export async function uniqueSlug(title, isTaken, options) {
  const base = slug(title, options);
  let candidate = base;
  for (let n = 2; await isTaken(candidate); n += 1) {
    candidate = `${base}-${n}`;
  }
  return candidate;
}
