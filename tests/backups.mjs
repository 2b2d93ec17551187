#!/usr/bin/env node
// Backups and restores that are killed (-9) at many moments, and a visitor who saves a quote each second while a
// shop is backed up. A killed command leaves no half file under the final name, and the next one succeeds. Each
// copy has every quote that was acknowledged before its moment. A restored shop has no fault.
//
//     node tests/backups.mjs target/debug/layby [KILLS [POLICIES]]
//
// KILLS is the number of kills of each command (default 50). POLICIES is the size of the shop (default 20000).
// The exit status is 1 if one of these fails. docs/PERFORMANCE.md has the figures.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ask, freePort, pause, quote } from "./visitors.mjs";

const [binary, kills = "50", policies = "20000"] = process.argv.slice(2);
if (!binary) {
  console.error("node tests/backups.mjs target/debug/layby");
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "layby-backups-"));
const [data, file, restored, documents] = ["data", "copy.redb", "restored", "documents"].map((name) => join(folder, name));
const env = { PATH: process.env.PATH, LAYBY_LIMITS__SAVES_PER_MINUTE: "0", LAYBY_LIMITS__TOTAL_SAVES_PER_HOUR: "0" };
let failed = false;

function must(holds, line) {
  console.log(`${holds ? "ok" : "NOT OK"}: ${line}`);
  failed ||= !holds;
}

/** Runs a command to its end. Returns its output and its time in milliseconds. */
function run(...words) {
  const began = Date.now();
  const done = spawnSync(binary, words, { env, encoding: "utf8", maxBuffer: 1 << 28 });
  return { good: done.status === 0, text: done.stdout + done.stderr, took: Date.now() - began };
}

/** Runs a command beside the visitors. */
function start(words, output = "ignore") {
  const child = spawn(binary, words, { env, stdio: ["ignore", output, output] });
  return { child, ended: new Promise((resolve) => child.once("exit", resolve)) };
}

async function killAfter(milliseconds, words) {
  const { child, ended } = start(words);
  await pause(milliseconds);
  child.kill("SIGKILL");
  await ended;
}

/** Saves a quote each second until `going` ends. Keeps the times of the saves and the references. */
const saves = [];
let going = true;
async function visit(url) {
  while (going) {
    const began = Date.now();
    const saved = await quote(url);
    saves.push({ at: Date.now(), took: Date.now() - began, uuid: saved?.uuid });
    await pause(Math.max(0, 1000 - (Date.now() - began)));
  }
}

const slowest = (from, to) => Math.max(0, ...saves.filter(({ at }) => at > from && at <= to).map(({ took }) => took));

/** Returns the uuids of a store's quotes. */
function quotesOf(place) {
  const rows = run("export", "quotes", "--format", "jsonl", "--data", place).text.trim().split("\n");
  return new Set(rows.map((row) => JSON.parse(row).uuid));
}

try {
  must(run("seed", "--customers", "200", "--policies", policies, "--data", data).good, `${policies} policies`);
  const size = () => Math.round(statSync(join(data, "layby.redb")).size / 1e6);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(join(folder, "log"), "w");
  const shop = start(["serve", "--listen", `127.0.0.1:${port}`, "--data", data], log);
  while ((await ask(`${url}/health/ready`)).status !== 200) await pause(100);
  const visitor = visit(url);
  const calm = Date.now();
  await pause(10_000);
  const usual = slowest(calm, Date.now());
  const before = size();
  const began = Date.now();
  const first = start(["backup", file, "--data", data]);
  must((await first.ended) === 0, "a backup beside a visitor");
  const took = Date.now() - began;
  const megabytes = Math.round(statSync(file).size / 1e6);
  console.log(`${took} ms; the copy has ${megabytes} MB, the store ${before} MB before and ${size()} MB after`);
  console.log(`slowest save: ${usual} ms before, ${slowest(began, Date.now())} ms during the backup`);

  for (let kill = 1; kill <= Number(kills); kill += 1) {
    await killAfter((took * kill) / (Number(kills) + 1), ["backup", file, "--replace", "--data", data]);
  }
  const left = readdirSync(folder).filter((name) => name.startsWith("copy"));
  must(left.every((name) => ["copy.redb", "copy.redb.part"].includes(name)), `after ${kills} kills of a backup: ${left}`);
  must(run("backup", file, "--check").good, "the last whole copy has no fault");
  const last = run("backup", file, "--replace", "--json", "--documents", documents, "--data", data);
  must(last.good && !existsSync(`${file}.part`), "the next backup succeeds and leaves no part");
  const { moment } = JSON.parse(last.text);
  going = false;
  await visitor;
  must((await ask(`${url}/health/ready`)).status === 200, "the shop serves");
  must(saves.every(({ uuid }) => uuid), `${saves.length} saves were acknowledged`);

  const restore = ["restore", file, "--documents", documents, "--data", restored];
  const whole = run(...restore);
  must(whole.good, `a restore in ${whole.took} ms`);
  const kept = quotesOf(restored);
  const acknowledged = saves.filter(({ at }) => at < Date.parse(moment));
  must(acknowledged.every(({ uuid }) => kept.has(uuid)), `the copy has all ${acknowledged.length} saves before ${moment}`);
  for (let kill = 1; kill <= Number(kills); kill += 1) {
    rmSync(restored, { recursive: true });
    await killAfter((whole.took * kill) / (Number(kills) + 1), restore);
    if (existsSync(join(restored, "layby.redb"))) continue;
    if (!run(...restore).good) must(false, `a restore after kill ${kill}`);
  }
  const checked = run("check", "--data", restored);
  must(checked.good, `after ${kills} kills of a restore: ${checked.text.trim().split("\n").at(-1)}`);
  must(run("resume", "--data", restored).good, "the restored shop is released");
  shop.child.kill("SIGTERM");
  must((await shop.ended) === 0, "the shop stops");
} finally {
  if (failed) console.log(`the log is in ${folder}`);
  else rmSync(folder, { recursive: true });
}
process.exit(failed ? 1 : 0);
