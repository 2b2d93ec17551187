#!/usr/bin/env node
// The long form of two tests, with the real binary:
//   - A shop is killed under load, several times. It lives within a second of its next start, and reports its
//     progress. It has every acknowledged quote and policy. After a kill at rest it serves at once.
//   - A bit is flipped anywhere in its store. `layby check` finds it, or it changes nothing.
//
//     node tests/damage.mjs target/release/layby [POLICIES [FLIPS [KILLS]]]
//
// Use a release build: in debug builds the engine reads every page when it opens a store. The defaults are
// 300,000 policies, 40 bits and 5 kills. They take a quarter of an hour on an idle machine, and 5 GB in the
// folder for temporary files. A million policies take an hour and 12 GB. The exit status is 1 if one of these
// fails. docs/SECURITY.md has the figures.
import { spawn, spawnSync } from "node:child_process";
import { createHash, randomInt } from "node:crypto";
import { closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ask, buy, call, freePort, pause, quote } from "./visitors.mjs";

const [binary, policies = "300000", flips = "40", kills = "5"] = process.argv.slice(2);
if (!binary) {
  console.error("name the binary: node tests/damage.mjs target/release/layby");
  process.exit(2);
}
const data = mkdtempSync(join(tmpdir(), "layby-damage-"));
const store = join(data, "layby.redb");
const copy = join(data, "copy");
// One client saves, pays and reads without rate limits.
const env = {
  LAYBY_SERVER__DATA: data,
  LAYBY_LIMITS__SAVES_PER_MINUTE: "0",
  LAYBY_LIMITS__TOTAL_SAVES_PER_HOUR: "0",
  LAYBY_LIMITS__PRICES_PER_MINUTE: "0",
  LAYBY_LIMITS__PAYMENT_PAGES_PER_HOUR: "0",
  LAYBY_LIMITS__PAYMENT_PAGES_PER_CLIENT: "0",
};
let failed = false;

function says(line) {
  console.log(line);
}

function must(holds, line) {
  says(`${holds ? "ok" : "NOT OK"}: ${line}`);
  failed ||= !holds;
}

function run(...args) {
  return spawnSync(binary, args, { env, encoding: "utf8", maxBuffer: 1 << 30 });
}

/** Starts the shop. Returns the times until it lived and was ready, and the readiness messages. */
async function start() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const began = Date.now();
  const shop = spawn(binary, ["serve", "--listen", `127.0.0.1:${port}`], { env, stdio: "ignore" });
  const ended = new Promise((resolve) => shop.once("exit", resolve));
  let lived = 0;
  const said = new Set();
  for (;;) {
    if (!lived && (await ask(`${url}/health/live`)).status === 200) {
      lived = Date.now() - began;
    }
    const ready = await ask(`${url}/health/ready`);
    if (ready.status === 200) {
      return { shop, ended, url, lived, ready: Date.now() - began, said: [...said] };
    }
    if (ready.text) {
      said.add(ready.text);
    }
    await pause(10);
  }
}

/**
 * Uses the shop over 64 connections until it is stopped or the shop is gone. 48 make quotes, and 16 buy too.
 * Returns what was acknowledged, and the number of refusals.
 */
function load(url) {
  let going = true;
  const made = { quotes: [], policies: [], refused: 0 };
  const one = async (_, number) => {
    while (going) {
      try {
        const saved = await quote(url);
        if (saved) made.quotes.push(saved);
        else made.refused += 1;
        if (saved && number < 16) {
          if (await buy(url, saved)) made.policies.push(saved);
          else made.refused += 1;
        }
      } catch {
        going = false;
      }
    }
  };
  const all = Promise.all(Array.from({ length: 64 }, one));
  return async () => {
    going = false;
    await all;
    return made;
  };
}

/** Returns how much of the acknowledged data the shop lacks. Reads each item over 64 connections. */
async function lost(url, { quotes, policies }) {
  const wanted = [
    ...quotes.map((one) => [`/api/v2/public/quote/read/${one.uuid}`, one.token]),
    ...policies.map((one) => [`/api/v2/policy/read/${one.uuid}`, one.token]),
  ];
  let missing = 0;
  const one = async () => {
    for (let next = wanted.pop(); next; next = wanted.pop()) {
      const [path, token] = next;
      const { status } = await call(url, "GET", path, { token });
      if (status !== 200) {
        missing += 1;
        says(`${path} answered ${status}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 64 }, one));
  return missing;
}

/** Returns a hash of the export. The text of a million policies exceeds the size of a string. */
async function exported() {
  const hash = createHash("sha256");
  for (const what of ["quotes", "policies"]) {
    const out = spawn(binary, ["export", what, "--format", "jsonl"], { env, stdio: ["ignore", "pipe", "ignore"] });
    const ended = new Promise((resolve) => out.on("close", resolve));
    for await (const part of out.stdout) hash.update(part);
    hash.update(`ended with ${await ended}`);
  }
  return hash.digest("hex");
}

function flip(path, { at, bit }) {
  const file = openSync(path, "r+");
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, at);
  byte[0] ^= 1 << bit;
  writeSync(file, byte, 0, 1, at);
  closeSync(file);
}

/** Makes a folder with a copy of the store, so that two checks can run at once. */
function copied() {
  mkdirSync(copy);
  copyFileSync(store, join(copy, "layby.redb"));
  return copy;
}

/** Takes bits from the list until it is empty. Returns those that no check of a flipped store has found. */
async function unfoundOf(bits, folder) {
  const path = join(folder, "layby.redb");
  const unfound = [];
  for (let one = bits.pop(); one; one = bits.pop()) {
    flip(path, one);
    const check = spawn(binary, ["check"], { env: { ...env, LAYBY_SERVER__DATA: folder }, stdio: "ignore" });
    const status = await new Promise((resolve) => check.on("close", resolve));
    if (status === 0) unfound.push(one);
    else if (status !== 1) must(false, `a check broke down over byte ${one.at}`);
    flip(path, one);
    says(`${bits.length} bits are left, ${status === 1 ? "" : "not "}found at byte ${one.at}`);
  }
  return unfound;
}

try {
  says(`seeding ${policies} policies`);
  const seeded = run("seed", "--customers", "1000", "--policies", policies);
  must(seeded.status === 0, `seeded, ${Math.round(statSync(store).size / 1e6)} MB`);

  let shop = await start();
  says(`closed properly: lived after ${shop.lived} ms, ready after ${shop.ready} ms`);
  const acknowledged = { quotes: [], policies: [] };
  for (let kill = 1; kill <= Number(kills); kill += 1) {
    const stop = load(shop.url);
    // A random pause varies the point of the kill.
    await pause(5000 + randomInt(2000));
    shop.shop.kill("SIGKILL");
    await shop.ended;
    const made = await stop();
    const sold = made.policies.length;
    says(`kill ${kill}: ${made.quotes.length} quotes and ${sold} policies were acknowledged, ${made.refused} refused`);
    must(made.quotes.length > 0 && sold > 0, "the shop was at work");
    acknowledged.quotes.push(...made.quotes);
    acknowledged.policies.push(...made.policies);

    shop = await start();
    must(shop.lived < 1000, `killed under load: lived after ${shop.lived} ms, ready after ${shop.ready} ms`);
    must(
      shop.ready < 5000 || shop.said.some((text) => text.startsWith("repairing")),
      `readiness said: ${shop.said.slice(0, 3).join("; ")}; ...`,
    );
    const missing = await lost(shop.url, acknowledged);
    const all = `${acknowledged.quotes.length} quotes and ${acknowledged.policies.length} policies`;
    must(missing === 0, `of all ${all} that were acknowledged so far ${missing} are lost`);
  }
  await pause(5000);
  const checking = Date.now();
  const beside = run("check");
  must(beside.status === 0, `checked beside the shop in ${Date.now() - checking} ms: ${beside.stdout.trim()}`);
  shop.shop.kill("SIGKILL");
  await shop.ended;

  shop = await start();
  must(shop.ready < 5000, `killed in a calm moment: ready after ${shop.ready} ms`);
  shop.shop.kill("SIGTERM");
  must((await shop.ended) === 0, "stopped");

  const good = await exported();
  const bits = Array.from({ length: Number(flips) }, () => ({
    at: randomInt(statSync(store).size),
    bit: randomInt(8),
  }));
  const unfound = (await Promise.all([data, copied()].map((folder) => unfoundOf(bits, folder)))).flat();
  // An export takes longer than a check, so all unfound bits are exported together. Flips at different places
  // can't cancel each other.
  const flipUnfound = () => unfound.forEach((one) => flip(store, one));
  flipUnfound();
  const places = unfound.map(({ at }) => at).join(", ");
  must((await exported()) === good, `the export is the same with those that no check found, at bytes ${places}`);
  flipUnfound();
  const found = Number(flips) - unfound.length;
  must(found > 0, `of ${flips} flipped bits ${found} were found, ${unfound.length} lay where nothing is kept`);
  must(run("check").status === 0, "put right again, the store is in order");
} finally {
  rmSync(data, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
