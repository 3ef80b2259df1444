import express from 'express';
import { uniqueSlug } from '@corvid/slugline';

const pages = new Map();
const app = express();

app.post('/pages/:title', async (req, res) => {
  const key = await uniqueSlug(req.params.title, (s) => pages.has(s));
  pages.set(key, req.params.title);
  res.status(201).location(`/pages/${key}`).end();
});

app.listen(3000);
