import { expect, test } from 'vitest';

const SOURCES = import.meta.glob('../../**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
}) as Record<string, string>;

test('days are written in one file, which knows how its reader wants them', () => {
  const files = Object.entries(SOURCES).filter(([path]) => !path.includes('.test.'));
  expect(files.length).toBeGreaterThan(200);
  const writes = /DateTimeFormat|toLocaleDateString|toLocaleTimeString|\.format\('[^']*(DD|YY)/;
  const found = files.filter(([, text]) => writes.test(text)).map(([path]) => path);
  expect(found).toEqual(['./dates.ts']);
});
