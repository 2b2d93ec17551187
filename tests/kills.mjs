#!/usr/bin/env node
// Three nodes with one store in PostgreSQL, under load of purchases. They are killed and restarted in turn.
// Visitors use any node, and another one if it is gone. Every acknowledged quote and policy is kept, and
// nobody is sold cover twice or charged twice. Another node completes a killed node's jobs within 30 seconds.
// The store and its books have no faults.
//
//     tests/postgres node tests/kills.mjs target/debug/layby [SECONDS [VISITORS]]
//
// SECONDS is the time of load (default 60). VISITORS is the number of concurrent visitors (default 12), half
// of whom buy. With `tests/postgres --durable` the database syncs its writes. The exit status is 1 if one of
// these fails. docs/PERFORMANCE.md has the figures.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ask, call, freePort, pause, quote } from "./visitors.mjs";

const [binary, seconds = "60", visitors = "12"] = process.argv.slice(2);
const store = process.env.LAYBY_TEST_STORE;
if (!binary || !store) {
  console.error("tests/postgres node tests/kills.mjs target/debug/layby");
  process.exit(2);
}
/** Time between two kills, and from a kill to the next start, in milliseconds. */
const [BETWEEN, GONE] = [4000, 3000];
let failed = false;

function must(holds, line) {
  console.log(`${holds ? "ok" : "NOT OK"}: ${line}`);
  failed ||= !holds;
}

const folder = mkdtempSync(join(tmpdir(), "layby-kills-"));
const settings = {
  PATH: process.env.PATH,
  LAYBY_STORE__URL: store,
  LAYBY_DOCUMENTS__URL: `file://${join(folder, "documents")}`,
  LAYBY_LIMITS__SAVES_PER_MINUTE: "0",
  LAYBY_LIMITS__TOTAL_SAVES_PER_HOUR: "0",
  LAYBY_LIMITS__PRICES_PER_MINUTE: "0",
  LAYBY_LIMITS__PAYMENT_PAGES_PER_HOUR: "0",
  LAYBY_LIMITS__PAYMENT_PAGES_PER_CLIENT: "0",
  LAYBY_LIMITS__QUOTE_LETTERS_PER_HOUR: "0",
  LAYBY_LIMITS__QUOTE_LETTERS_PER_CLIENT_PER_HOUR: "0",
};

const shops = [];
for (let number = 0; number < 3; number += 1) {
  const data = join(folder, `data${number}`);
  mkdirSync(data);
  shops.push({ data, port: await freePort(), env: { ...settings, LAYBY_SERVER__DATA: data } });
}

async function start(shop) {
  const log = openSync(join(shop.data, "..", `log${shop.port}`), "a");
  shop.url = `http://127.0.0.1:${shop.port}`;
  shop.process = spawn(binary, ["serve", "--listen", `127.0.0.1:${shop.port}`], { env: shop.env, stdio: ["ignore", "ignore", log] });
  shop.ended = new Promise((resolve) => shop.process.once("exit", resolve));
  const began = Date.now();
  while ((await ask(`${shop.url}/health/ready`)).status !== 200) {
    if (Date.now() - began > 60_000) throw new Error("the shop isn't ready");
    await pause(50);
  }
  shop.isThere = true;
}

/** Chooses a running shop, as a proxy would. */
function any() {
  const there = shops.filter((shop) => shop.isThere);
  return there[Math.floor(Math.random() * there.length)].url;
}

let going = true;
const made = { quotes: [], policies: [], refused: 0, slowest: 0 };

/** Retries a step until it is done, each time at any of the shops. After the load it retries for a minute. */
async function tried(step) {
  for (let left = 600; left > 0; left -= going ? 0 : 1) {
    const done = await step(any()).catch(() => undefined);
    if (done) return done;
    made.refused += 1;
    await pause(100);
  }
  return undefined;
}

async function bought({ uuid, token }) {
  const terms = { payment_frequency: "annual", terms_and_conditions: true };
  const card = "card_number=4242424242424242&expiry=12%2F40&cvc=123&cardholder=Ann";
  const accept = (url) => call(url, "POST", `/api/v1/quote/update-accept/${uuid}`, { body: terms, token });
  if (!(await tried(async (url) => (await accept(url)).status === 200))) return;
  const begin = (url) => call(url, "POST", "/api/v1/gateway/sandbox/initiate", { body: { uuid }, token });
  const started = await tried(async (url) => {
    const answer = await begin(url);
    return answer.status === 200 ? answer.data : undefined;
  });
  if (!started) return;
  const type = "application/x-www-form-urlencoded";
  const pays = (url) => call(url, "POST", started.url, { body: card, type });
  if (!(await tried(async (url) => (await pays(url)).status < 500))) return;
  const paid = Date.now();
  const read = (url) => call(url, "GET", `/api/v2/policy/read/${uuid}`, { token });
  if (!(await tried(async (url) => (await read(url)).status === 200))) return;
  made.slowest = Math.max(made.slowest, Date.now() - paid);
  made.policies.push({ uuid, token });
}

let begun = 0;
async function visit(_, number) {
  while (going) {
    const saved = await tried((url) => quote(url));
    if (!saved) return;
    made.quotes.push(saved);
    if (number % 2 === 0) {
      begun += 1;
      await bought(saved);
    }
  }
}

try {
  await start(shops[0]);
  await Promise.all(shops.slice(1).map(start));
  const all = Promise.all(Array.from({ length: Number(visitors) }, visit));
  const until = Date.now() + Number(seconds) * 1000;
  let kills = 0;
  while (Date.now() < until) {
    await pause(BETWEEN);
    const shop = shops[kills % shops.length];
    shop.isThere = false;
    shop.process.kill("SIGKILL");
    await shop.ended;
    kills += 1;
    await pause(GONE);
    await start(shop);
  }
  going = false;
  await all;
  console.log(`${kills} kills in ${seconds} s; ${made.refused} tries were made again: refused, too early, or at a shop that was gone`);
  must(made.policies.length === begun, `${made.policies.length} of ${begun} purchases were finished`);
  must(made.slowest < 30_000, `the slowest policy was there ${made.slowest} ms after its payment`);
  let missing = 0;
  for (const { uuid, token } of made.quotes) {
    const { status } = await call(any(), "GET", `/api/v2/public/quote/read/${uuid}`, { token });
    missing += status === 200 ? 0 : 1;
  }
  must(missing === 0, `of ${made.quotes.length} quotes that were acknowledged ${missing} are lost`);
  for (const shop of shops) shop.process.kill("SIGTERM");
  const codes = await Promise.all(shops.map((shop) => shop.ended));
  must(codes.every((code) => code === 0), "all three stopped in order");
  const run = (...args) => spawnSync(binary, args, { env: shops[0].env, encoding: "utf8", maxBuffer: 1 << 30 });
  const checked = run("check");
  must(checked.status === 0, `the store and its books: ${checked.stdout.trim()} ${checked.stderr.trim()}`);
  const exported = run("export", "policies", "--format", "jsonl").stdout.trim().split("\n");
  const sold = exported.map((line) => JSON.parse(line));
  const uuids = new Set(sold.map(({ uuid }) => uuid));
  must(uuids.size === sold.length, `${sold.length} policies, none of a quote that was sold already`);
  const lost = made.policies.filter(({ uuid }) => !uuids.has(uuid)).length;
  must(lost === 0, `of ${made.policies.length} policies that were acknowledged ${lost} are lost`);
  const references = new Set(run("export", "quotes", "--format", "jsonl").stdout.trim().split("\n").map((line) => JSON.parse(line).custom_id));
  must(references.size >= made.quotes.length, `${references.size} references, no two alike`);
  const refunds = run("export", "payments", "--format", "jsonl").stdout.trim();
  must(refunds === "", "no payment needs a person");
} finally {
  for (const shop of shops) shop.process?.kill("SIGKILL");
  await Promise.all(shops.map((shop) => shop.ended));
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
