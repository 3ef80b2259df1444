import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  server: { proxy: { '/api': 'http://localhost:4000' } },
  test: { environment: 'jsdom', exclude: ['e2e/**', 'node_modules/**'] },
});
