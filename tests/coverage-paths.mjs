#!/usr/bin/env node
// Updates the paths in docs/COVERAGE.md and the pages about security after files or tests were moved.
//
// A test is found by its name in all test files. A file is found among git's renames, committed or not. A
// path that is not found, or found twice, is reported and left unchanged. `tests/it/coverage.rs` is the check
// that finds wrong paths.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

process.chdir(new URL('..', import.meta.url).pathname);
const PAGES = ['docs/COVERAGE.md', 'docs/STATEMENTS.md', 'docs/SECURITY.md', 'docs/ASVS.md'];

const git = (...args) =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 })
    .split('\n')
    .filter((line) => line !== '');

const texts = new Map();
function read(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(file, 'utf8'));
  return texts.get(file);
}

// All renames of git, oldest first.
const renames = [
  ...git('log', '--reverse', '-M', '--diff-filter=R', '--name-status', '--format='),
  ...git('diff', 'HEAD', '-M', '--diff-filter=R', '--name-status'),
].map((line) => line.split('\t').slice(1));

// Returns the new path of a moved file or folder.
function renamed(path) {
  if (existsSync(path)) return path;
  let now = path;
  for (const [from, to] of renames) {
    if (from === now) now = to;
    else if (now.endsWith('/') && from.startsWith(now) && to.endsWith(from.slice(now.length)))
      now = to.slice(0, to.length - from.slice(now.length).length);
  }
  return existsSync(now) ? now : undefined;
}

const files = git('ls-files', '--cached', '--others', '--exclude-standard').filter(existsSync);
const rust = files.filter((file) => file.endsWith('.rs'));
const script = files.filter((file) => /\.(test|spec)\.tsx?$/.test(file));

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function has(file, name) {
  if (file.endsWith('.rs')) return new RegExp(`\\bfn ${escaped(name)}\\b`).test(read(file));
  const title = escaped(name).replace(/'/g, "\\\\?'");
  return new RegExp(`\\(\\s*(['"\`])${title}\\1`).test(read(file));
}

// Returns the only file with this test.
function whereIs(path, name) {
  if (existsSync(path) && has(path, name)) return path;
  const moved = renamed(path);
  if (moved !== undefined && has(moved, name)) return moved;
  let found = (path.endsWith('.rs') ? rust : script).filter((file) => has(file, name));
  if (found.length > 1) {
    const alike = found.filter((file) => basename(file) === basename(path));
    if (alike.length === 1) found = alike;
  }
  return found.length === 1 ? found[0] : undefined;
}

let left = 0;
function rewrite(file) {
  const page = read(file);
  const lines = page.split('\n').map((line) => {
    if (!line.startsWith('| ')) return line;
    // The first cell is a sentence of the specification, which names no files of the project.
    const [sentence, ...cells] = line.split(' | ');
    const moved = cells.map((cell) =>
      cell.replace(/`([\w./-]+)(?:::([^`]+))?`/g, (whole, path, name) => {
        if (!path.includes('/')) return whole;
        const now = name === undefined ? renamed(path) : whereIs(path, name);
        if (now !== undefined) return whole.replace(path, now);
        console.error(`${file}: not found, or more than once: ${whole}`);
        left += 1;
        return whole;
      }),
    );
    return [sentence, ...moved].join(' | ');
  });
  if (lines.join('\n') !== page) writeFileSync(file, lines.join('\n'));
}
for (const file of PAGES) rewrite(file);
process.exitCode = left === 0 ? 0 : 1;
