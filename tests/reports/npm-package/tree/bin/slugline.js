#!/usr/bin/env node
// Reads titles from standard input, one per line, and prints their slugs.
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { slug } from '../src/index.js';

const { values } = parseArgs({ options: { lang: { type: 'string', default: 'en' } } });
for await (const line of createInterface({ input: process.stdin })) {
  console.log(slug(line, { stopWords: values.lang }));
}
