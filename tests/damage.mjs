#!/usr/bin/env node
// The long form of two tests, with the real binary:
//   - a shop that is killed under load lives within a second of its next start and says how far it has
//     come, and one that is killed in a calm moment serves at once;
//   - a bit that is flipped anywhere in its store is found by `layby check`, or changes nothing.
//
//     node tests/damage.mjs target/release/layby [POLICIES [FLIPS]]
//
// Take a release build: in others the engine reads every page when it opens a store, for its own
// debugging. By default 300,000 policies and 40 bits, which takes about half an hour and 3 GB in the
// folder for temporary files.
import { spawn, spawnSync } from "node:child_process";
import { createHash, randomInt } from "node:crypto";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [binary, policies = "300000", flips = "40"] = process.argv.slice(2);
if (!binary) {
  console.error("name the binary: node tests/damage.mjs target/release/layby");
  process.exit(2);
}
const data = mkdtempSync(join(tmpdir(), "layby-damage-"));
const store = join(data, "layby.redb");
const unlimited = { LAYBY_LIMITS__SAVES: "0" };
// A shop that limits saves would refuse the many of this script.
const limits = spawnSync(binary, ["serve", "--check"], { env: unlimited }).status === 0 ? unlimited : {};
const env = { LAYBY_SERVER__DATA: data, ...limits };
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

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function ask(url) {
  try {
    const answer = await fetch(url);
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: "" };
  }
}

/** Starts the shop; answers when it lived, when it was ready, and what readiness said meanwhile. */
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

const product = {
  product: {
    product_identifier: "breakdown",
    values: {
      cover_type: 2, cover_level: 3, cover_length: 1, excess: 2, title: 1, first_name: "Ann",
      last_name: "Other", date_of_birth: "01.02.1980", email_primary: "ann@example.org",
      tel_primary: "020 7946 0000", address_primary: "1 High Street", postcode_primary: "SW1A 1AA",
    },
    multi: {
      vehicles: [{ vehicle_type: 1, vehicle_registration: "AB12 CDE", vehicle_registration_date: "01.03.2012" }],
      persons: [], trips: [],
    },
  },
  draft: true,
};

/** Creates quotes over 64 connections until it is told to stop; answers how many were acknowledged. */
function load(url) {
  let going = true;
  let made = 0;
  const one = async () => {
    while (going) {
      try {
        const answer = await fetch(`${url}/api/v2/public/quote/breakdown`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(product),
        });
        await answer.text();
        made += answer.status === 201 ? 1 : 0;
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

/** What the store holds, as a hash: of a million policies it is more than fits into a string. */
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

function flip(at, bit) {
  const file = openSync(store, "r+");
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, at);
  byte[0] ^= 1 << bit;
  writeSync(file, byte, 0, 1, at);
  closeSync(file);
}

try {
  says(`seeding ${policies} policies`);
  const seeded = run("seed", "--customers", "1000", "--policies", policies);
  must(seeded.status === 0, `seeded, ${Math.round(statSync(store).size / 1e6)} MB`);

  let shop = await start();
  says(`closed properly: lived after ${shop.lived} ms, ready after ${shop.ready} ms`);
  const stop = load(shop.url);
  await pause(10000);
  shop.shop.kill("SIGKILL");
  await shop.ended;
  says(`killed after ${await stop()} quotes in 10 s`);

  shop = await start();
  must(shop.lived < 1000, `killed under load: lived after ${shop.lived} ms, ready after ${shop.ready} ms`);
  must(
    shop.ready < 5000 || shop.said.some((text) => text.startsWith("repairing")),
    `readiness said: ${shop.said.slice(0, 3).join("; ")}; ...`,
  );
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
  let found = 0;
  let unused = 0;
  for (let n = 0; n < Number(flips); n += 1) {
    const [at, bit] = [randomInt(statSync(store).size), randomInt(8)];
    flip(at, bit);
    const checked = run("check");
    if (checked.status === 1) {
      found += 1;
    } else if ((await exported()) === good) {
      unused += 1;
    } else {
      must(false, `a flipped bit at byte ${at} was not found`);
    }
    flip(at, bit);
  }
  must(found > 0, `of ${flips} flipped bits ${found} were found, ${unused} lay where nothing is kept`);
  must(run("check").status === 0, "put right again, the store is in order");
} finally {
  rmSync(data, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
