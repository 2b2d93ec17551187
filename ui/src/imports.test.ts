import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Files with one forbidden import each: the import, and the lint rule that finds it. */
const WRONG: Record<string, [string, string]> = {
  'lib/money.ts': ["export { x } from '../api/x';", 'noRestrictedImports'],
  'api/read.ts': ["export { x } from '../shared/x';", 'noRestrictedImports'],
  'ui/basics/panel.ts': ["export { x } from '../../shared/x';", 'noRestrictedImports'],
  'shared/money/card.ts': ["export const x = () => import('../../form/x');", 'noRestrictedImports'],
  'form/fields/text.ts': ["export type { X } from '../../layout/x';", 'noRestrictedImports'],
  'layout/frame.ts': ["export { x } from '../features/one/x';", 'noRestrictedImports'],
  'pages/top.ts': ["import '../router';", 'noRestrictedImports'],
  'pages/start.test.ts': ["export const x = () => import('../main');", 'noRestrictedImports'],
  'testing/server.ts': ["export { x } from '../pages/x';", 'noRestrictedImports'],
  'features/one/page.ts': ["import '../../pages/x';", 'noRestrictedImports'],
  'features/one/near.ts': ["export { x } from '../two/x';", 'noRestrictedImports'],
  'features/one/round.ts': ["export { x } from '../../features/two/x';", 'noRestrictedImports'],
  'features/one/folder.ts': ["export { x } from '../two';", 'noRestrictedImports'],
  'features/one/list/near.ts': ["export { x } from '../../two/x';", 'noRestrictedImports'],
  'features/one/list/top.ts': ["export { x } from '../../../router';", 'noRestrictedImports'],
  'features/one/list/rows/near.ts': ["export { x } from '../../../two/x';", 'noRestrictedImports'],
  'features/one/list/rows/top.ts': [
    "export { x } from '../../../../router';",
    'noRestrictedImports',
  ],
  'form/circle/first.ts': ["export type { Second } from './second';", 'noImportCycles'],
  'form/circle/second.ts': ["export type { First } from './first';", 'noImportCycles'],
};

/** Files with only allowed imports. */
const RIGHT: Record<string, string> = {
  'pages/right.ts': "export { x } from '../features/one/x';",
  'features/one/right.ts':
    "export { x } from './x';\nexport { y } from '../../form/y';\nexport { z } from '../../testing/z';",
  'features/one/list/right.ts':
    "export { x } from '../x';\nexport { y } from '../../../shared/money/y';",
  'features/one/list/rows/right.ts':
    "export { x } from '../../x';\nexport { y } from '../../../../shared/money/y';",
  'form/fields/right.ts': "export { x } from '../x';\nexport { y } from '../../api/y';",
  'shared/money/right.ts': "export { x } from '../../ui/x';",
  'ui/basics/right.ts': "export { x } from '../../api/x';",
  'layout/right.ts': "export { x } from '../lib/x';\nexport { y } from '../shared/y';",
};

interface Report {
  diagnostics: { category: string; location: { path: string } }[];
}

/** Lints these files by the website's rules. Returns each finding as `path rule`. */
async function lint(files: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  try {
    cpSync('biome.json', join(folder, 'biome.json'));
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, 'src', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const biome = join(process.cwd(), 'node_modules/.bin/biome');
    const report = await new Promise<string>((resolve) =>
      // A finding gives the command an error status, but the report is complete.
      execFile(biome, ['lint', '--reporter=json', 'src'], { cwd: folder }, (_, out) =>
        resolve(out),
      ),
    );
    const { diagnostics } = JSON.parse(report) as Report;
    return diagnostics.map(
      ({ category, location }) =>
        `${location.path.replace(/^src\//, '')} ${category.replace(/^.*\//, '')}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('an import that goes up, to another feature or in a circle is a lint error', async () => {
  const wrong = Object.entries(WRONG).map(([path, [text]]) => [path, text]);
  const found = await lint({ ...RIGHT, ...Object.fromEntries(wrong) });
  const expected = Object.entries(WRONG).map(([path, [, rule]]) => `${path} ${rule}`);
  expect([...new Set(found)].sort()).toEqual(expected.sort());
});

test('only tests import test helpers', () => {
  const sources = import.meta.glob<string>(['./**/*.{ts,tsx}', '!./**/*.test.{ts,tsx}'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const helper = /(^|\/)(testing\/.*|testing|[a-z]+Testing)$/;
  const users = Object.entries(sources)
    .filter(([path]) => !helper.test(path.replace(/\.tsx?$/, '')))
    .filter(([, text]) =>
      [...text.matchAll(/(?:from|import|import\() ?'(\.[^']*)'/g)].some(
        ([, from]) => from !== undefined && helper.test(from),
      ),
    )
    .map(([path]) => path);
  expect(Object.keys(sources).length).toBeGreaterThan(200);
  expect(users).toEqual([]);
});
