import { expect, it } from 'vitest';
import { app } from './app.js';

it('is healthy', async () => {
  expect((await app.request('/health')).status).toBe(200);
});

it('refuses empty uploads', async () => {
  expect((await app.request('/uploads', { method: 'POST' })).status).toBe(400);
});
