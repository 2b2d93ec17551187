import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const api = process.env.LAYBY_DEV_API ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The Content-Security-Policy allows no data: fonts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The rescue card is a page of its own: it opens without a network, and needs little.
      input: ['index.html', 'rescue-card/index.html'],
      output: {
        // What changes with a dependency, not with every release, stays in the browser's cache.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|swr)[\\/]/,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': { target: api, changeOrigin: false },
      '/gateway': { target: api, changeOrigin: false },
    },
  },
  test: {
    environment: 'happy-dom',
    // A script element counts as loaded: no test asks another host for anything.
    environmentOptions: {
      happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: true } },
    },
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test-setup.ts'],
    restoreMocks: true,
    // A machine under load is slow; a test that hangs is found all the same.
    testTimeout: 20_000,
    maxWorkers: 2,
  },
});
