// Names of the website and subjects of commits are plain. The server's names: tests/it/architecture/names.rs.
// Prints a line for each fault. Without a history, no subject is read.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'ui/src');
const ts = createRequire(join(ROOT, 'ui/package.json'))('typescript');

const lines = (text) => text.split('\n').filter(Boolean);
const refused = new Set(
  lines(readFileSync(join(ROOT, 'tests/refused-names.txt'), 'utf8')).map((word) => word.replaceAll('_', '')),
);

const MAX_FILES = 15;
const LARGE_FOLDERS = {};
const MAX_SUBJECT = 72;

/** The names that a source declares. A record's moment is `at`, as in `created_at`. */
function declaredNames(file, text) {
  const names = [];
  const visit = (node) => {
    const isProperty = ts.isPropertySignature(node) || ts.isPropertyAssignment(node);
    const isDeclaration =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node);
    const name = (isProperty || isDeclaration) && node.name;
    if (name && ts.isIdentifier(name) && !(isProperty && name.text === 'at')) names.push(name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return names;
}

const refusedNames = (file, text) => declaredNames(file, text).filter((name) => refused.has(name.toLowerCase()));

/** Whether a subject is `component: imperative verb + object`. */
function isPlainSubject(subject) {
  const parts = /^[a-z][a-z, -]*: ([a-z-]+) \S/.exec(subject);
  const isVerb = parts && !/^(?:an?|the|it|what|who|how|no|\w+ing|\w+(?<!e)ed)$/.test(parts[1]);
  return Boolean(isVerb) && subject.length <= MAX_SUBJECT;
}

/** The subjects of the commits after the one that added this file. */
function newSubjects() {
  const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const added = lines(git('log', '--diff-filter=A', '--format=%H', '--', 'tests/names.mjs')).at(-1);
    return added ? lines(git('log', '--no-merges', '--format=%s', `${added}..HEAD`)) : [];
  } catch {
    return [];
  }
}

function* folders(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(folder, entry.name));
  yield { folder: relative(SOURCES, folder), files };
  for (const entry of entries.filter((entry) => entry.isDirectory())) yield* folders(join(folder, entry.name));
}

const faults = [];
for (const { folder, files } of folders(SOURCES)) {
  if (files.length > MAX_FILES && !(folder in LARGE_FOLDERS)) {
    faults.push(`ui/src/${folder} has ${files.length} files: sort them into folders, or give a reason in LARGE_FOLDERS`);
  }
  for (const file of files.filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.gen.ts'))) {
    const names = refusedNames(file, readFileSync(file, 'utf8'));
    faults.push(...names.map((name) => `${relative(ROOT, file)}: ${name} is no plain name`));
  }
}
for (const subject of newSubjects().filter((subject) => !isPlainSubject(subject))) {
  faults.push(`commit "${subject}": write component: imperative verb + object, at most ${MAX_SUBJECT} characters`);
}

// The checks find a planted fault.
const planted = refusedNames('planted.ts', 'const told = 1; function f(kept: number) { return { at: kept }; }');
const subjects = ['store: box the connect future', 'website: a tab begins once', 'Fix it', 'api: sorting lists'];
if (planted.join() !== 'told,kept' || subjects.map(isPlainSubject).join() !== 'true,false,false,false') {
  faults.push('tests/names.mjs finds no planted fault');
}

for (const fault of faults) console.log(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
