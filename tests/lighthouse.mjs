// Measures the website's pages with Lighthouse as on a phone. For comparison it measures a bare page of the
// same component library with a select, a date picker and a modal. Run by hand:
//
//   npm --prefix tests/lighthouse ci
//   node tests/lighthouse.mjs target/release/layby [runs]
//
// It fails if a page's performance is below the bare page's. On a machine with a benchmark index of 1,500 or
// more it also fails below 90. It fails if any other score is below 100. CHROME_PATH names another browser.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import * as chromeLauncher from './lighthouse/node_modules/chrome-launcher/dist/index.js';
import lighthouse from './lighthouse/node_modules/lighthouse/core/index.js';
import { build } from '../ui/node_modules/vite/dist/node/index.js';

const [binary, runs = '3'] = process.argv.slice(2);
if (!binary) throw new Error('Name the binary to measure: node tests/lighthouse.mjs target/release/layby');

const FAST_MACHINE = 1500;
const GOOD = 90;
const OURS = ['/', '/breakdown'];
const UI = resolve(import.meta.dirname, '../ui');

const BARE = `
import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
import { Button, Container, MantineProvider, Modal, Select, Title } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';

function Page() {
  const [open, setOpen] = useState(false);
  return h(Container, null,
    h(Title, null, 'A bare page'),
    h(Select, { label: 'Cover', data: ['Local', 'National', 'European'] }),
    h(DatePickerInput, { label: 'First day' }),
    h(Button, { onClick: () => setOpen(true) }, 'Open'),
    h(Modal, { opened: open, onClose: () => setOpen(false), title: 'Modal' }, 'Nothing more.'));
}
createRoot(document.getElementById('root')).render(h(MantineProvider, null, h(Page)));
`;

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="A bare page."><title>A bare page</title></head>
<body><div id="root"></div><script type="module" src="./main.js"></script></body></html>`;

/** Builds the bare page with the website's packages. Returns its folder. */
async function bareSite() {
  const root = join(UI, 'node_modules/.bare-page');
  await mkdir(root, { recursive: true });
  await writeFile(join(root, 'main.js'), BARE);
  await writeFile(join(root, 'index.html'), PAGE);
  await build({ root, configFile: false, logLevel: 'error', build: { emptyOutDir: true } });
  return join(root, 'dist');
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Serves a folder compressed, as the shop does. */
async function serve(folder) {
  const server = createServer(async (request, response) => {
    const name = request.url === '/' ? '/index.html' : new URL(request.url, 'http://x').pathname;
    try {
      const body = brotliCompressSync(await readFile(join(folder, name)));
      const cache = name === '/index.html' ? 'no-cache' : 'public, max-age=31536000, immutable';
      response.writeHead(200, {
        'Content-Type': `${TYPES[extname(name)] ?? 'application/octet-stream'}; charset=utf-8`,
        'Content-Encoding': 'br',
        'Cache-Control': cache,
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

async function startShop() {
  const data = await mkdtemp(join(tmpdir(), 'layby-lighthouse-'));
  const words = ['serve', '--listen', '127.0.0.1:0', '--data', join(data, 'data')];
  const shop = spawn(resolve(binary), words, { cwd: data, stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  const address = await new Promise((done, fail) => {
    shop.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      const found = /^listening on (http:\/\/\S+)$/m.exec(said);
      if (found) done(found[1]);
    });
    shop.once('exit', () => fail(new Error('the shop ended')));
  });
  for (let tries = 0; tries < 200; tries += 1) {
    const ready = await fetch(`${address}/health/ready`).catch(() => null);
    if (ready?.ok) break;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  const close = async () => {
    shop.kill();
    await once(shop, 'exit');
    await rm(data, { recursive: true, force: true });
  };
  return { address, close };
}

const middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function measure(url, port) {
  const { lhr } = await lighthouse(url, { port, output: 'json', logLevel: 'error' });
  const value = (audit) => lhr.audits[audit]?.numericValue ?? 0;
  const items = lhr.audits['network-requests'].details.items;
  const failing = Object.values(lhr.categories)
    .filter(({ id }) => id !== 'performance')
    .flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0))
    .map(({ id }) => lhr.audits[id])
    .filter(({ score }) => score !== null && score < 1)
    .map(({ id }) => id);
  return {
    benchmark: lhr.environment.benchmarkIndex,
    scores: Object.values(lhr.categories).map(({ id, score }) => [id, Math.round(score * 100)]),
    failing,
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    speed: value('speed-index'),
    blocked: value('total-blocking-time'),
    shift: value('cumulative-layout-shift'),
    requests: items.length,
    script: items
      .filter(({ resourceType }) => resourceType === 'Script')
      .reduce((sum, { transferSize }) => sum + transferSize, 0),
  };
}

const bare = await serve(await bareSite());
const shop = await startShop();
const chrome = await chromeLauncher.launch({
  chromePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
  chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'],
});
const pages = [['bare', bare.address], ...OURS.map((path) => [path, shop.address + path])];
const measured = new Map(pages.map(([name]) => [name, []]));
try {
  // The pages take turns, so that other load of the machine affects all of them.
  for (let run = 0; run < Number(runs); run += 1) {
    for (const [name, url] of pages) measured.get(name).push(await measure(url, chrome.port));
  }
} finally {
  chrome.kill();
  bare.close();
  await shop.close();
}

const faults = [];
const performance = (name) => middle(measured.get(name).map(({ scores }) => scores[0][1]));
const benchmark = middle([...measured.values()].flat().map((each) => each.benchmark));
console.log(`benchmark index ${benchmark}, ${runs} runs of each page by turns, the middle one\n`);
for (const [name] of pages) {
  const all = measured.get(name);
  const of = (key) => Math.round(middle(all.map((each) => each[key])));
  console.log(
    `${name.padEnd(11)} performance ${performance(name)} (${all.map(({ scores }) => scores[0][1]).join(', ')}), ` +
      `first paint ${of('fcp')} ms, largest ${of('lcp')} ms, speed index ${of('speed')} ms, ` +
      `blocked ${of('blocked')} ms, shift ${middle(all.map((each) => each.shift))}, ` +
      `${of('requests')} requests, ${(of('script') / 1024).toFixed(1)} KiB script`,
  );
  if (name === 'bare') continue;
  if (performance(name) < performance('bare')) faults.push(`${name} is slower than the bare page`);
  if (benchmark >= FAST_MACHINE && performance(name) < GOOD) faults.push(`${name} is below ${GOOD}`);
  for (const [category] of all[0].scores.slice(1)) {
    const least = Math.min(...all.map(({ scores }) => Object.fromEntries(scores)[category]));
    console.log(`            ${category} ${least}`);
    if (least < 100) faults.push(`${name}: ${category} is ${least} (${all[0].failing.join(', ')})`);
  }
  if (all.some(({ shift }) => shift > 0)) faults.push(`${name} moves while it loads`);
}
if (faults.length > 0) {
  console.log(`\n${faults.join('\n')}`);
  process.exitCode = 1;
}
