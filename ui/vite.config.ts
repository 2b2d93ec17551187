import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { compress } from './compress.ts';
import { themeStyles } from './themeStyles.ts';

/**
 * Files that import one another in a circle may run before what they need is there, so they don't build.
 */
const noCircles: Plugin = {
  name: 'no-circles',
  generateBundle(_, bundle) {
    const done = new Set<string>();
    const visit = (file: string, way: string[]) => {
      if (way.includes(file)) this.error(`These files form a circle: ${[...way, file].join(', ')}`);
      const chunk = bundle[file];
      if (done.has(file) || chunk?.type !== 'chunk') return;
      for (const next of chunk.imports) visit(next, [...way, file]);
      done.add(file);
    };
    for (const file of Object.keys(bundle)) visit(file, []);
  },
};

const styleFiles = new Map<string, string>();

/**
 * A class is named by its folder, file and word, such as `hero-Hero-headline`: the server writes the page's
 * first words with the same classes (`src/api/website/landing_page/words.rs`). Two files of one name would mix their
 * styles, so they don't build.
 */
function className(word: string, file: string): string {
  const [path = file] = file.split('?');
  const prefix = `${basename(dirname(path))}-${basename(path, '.module.css')}`;
  const other = styleFiles.get(prefix) ?? path;
  if (other !== path) throw new Error(`${other} and ${path} have classes of the same name`);
  styleFiles.set(prefix, path);
  return `${prefix}-${word}`;
}

/** The entry of the package has the warnings for developers, in a build too. */
const reactRouter = fileURLToPath(
  new URL('node_modules/react-router/dist/production/index.mjs', import.meta.url),
);

/** The packages of many files that tests load. They all use one copy of React, which is why it is listed. */
const BUNDLED_FOR_TESTS = [
  '@mantine/core',
  '@mantine/dates',
  '@mantine/form',
  '@mantine/hooks',
  '@testing-library/dom',
  '@testing-library/react',
  '@testing-library/user-event',
  'react',
  'react-dom',
  'react-dom/client',
  'react/jsx-dev-runtime',
  'react/jsx-runtime',
  'react-router',
  'swr',
  'swr/_internal',
];

const api = process.env.LAYBY_DEV_API ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react(), noCircles, themeStyles, compress()],
  resolve: { alias: [{ find: /^react-router$/, replacement: reactRouter }] },
  css: { modules: { generateScopedName: className } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The Content-Security-Policy allows no data: fonts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // By this the server knows what each page needs, and says so in the page (`src/api/website/template.rs`).
    manifest: 'parts.json',
    rolldownOptions: {
      // The rescue card is a page of its own: it opens without a network, and needs little.
      input: ['index.html', 'rescue-card/index.html'],
      output: {
        // A group's own name lists its pages, and each file that imports it would repeat the list.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            // What changes with a dependency, not with every release, stays in the browser's cache.
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|swr)[\\/]/,
            },
            // The page of the rescue card runs on load: what other pages share with it is a file of its own.
            // The dates, which every page needs, stay in the next group.
            {
              name: 'rescue-card',
              test: /(policies[\\/]rescueCard|location[\\/]location)\.ts$/,
              includeDependenciesRecursively: false,
            },
            // What every page needs at once is one file.
            {
              name: 'start',
              tags: ['$initial'],
              entriesAware: true,
              entriesAwareMergeThreshold: 10_000,
            },
            // What stands where a quote begins is one file. Other pages that use a part of it load it whole, which
            // most visitors have by then.
            {
              name: 'quote',
              test: /features[\\/]quote[\\/](start[\\/]NewQuote|journey[\\/]Journey)\.tsx$/,
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
    // Many tests wait for a timer, so more than two processors of them run.
    maxWorkers: 4,
    // Each test file loads these packages anew. As one file each, they take a third of the time.
    deps: { optimizer: { client: { enabled: true, include: BUNDLED_FOR_TESTS } } },
  },
});
