/** Routes of the API: members, dives, uploads. */
import { Hono } from 'hono';
import { store } from './bucket.js';

export const app = new Hono();

app.get('/health', (c) => c.json({ ok: true }));

app.post('/uploads', async (c) => {
  const body = await c.req.arrayBuffer();
  if (body.byteLength === 0) return c.json({ error: 'empty' }, 400);
  const key = await store(new Uint8Array(body));
  return c.json({ key }, 201);
});
