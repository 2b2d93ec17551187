#!/usr/bin/env node
// A shop in little memory over a large store, with the real binary in a memory control group:
//   - It sells for a while, and `layby check` beside it finds no faults.
//   - Killed under load, it repairs its store at the next start and sells again.
//   - After a stop, `layby check` alone finds no faults.
// The system kills no process of the group for lack of memory.
//
//     node tests/small-memory.mjs target/release/layby [STORE_MB [MEMORY_MB [SECONDS]]]
//
// The defaults are a store of 3,072 MB, 512 MB of memory and 60 seconds of selling before each step. It needs
// root, and the right to make a memory control group (version 1 or 2). Use a release build: in debug builds
// the engine reads every page when it opens a store. The exit status is 1 if one of these fails.
// docs/PERFORMANCE.md has the figures.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ask, buy, freePort, pause, quote } from "./visitors.mjs";

const [binary, storeMb = "3072", memoryMb = "512", seconds = "60"] = process.argv.slice(2);
const STORE_BYTES = Number(storeMb) * 2 ** 20;
if (!binary) {
  console.error("name the binary: node tests/small-memory.mjs target/release/layby");
  process.exit(2);
}
/** Policies in the first part of the store, from which the size of a policy is measured. */
const FIRST_POLICIES = 5000;
const VISITORS = 16;

const data = mkdtempSync(join(process.env.TMPDIR ?? tmpdir(), "layby-small-memory-"));
const store = join(data, "layby.redb");
// One client saves, pays and reads without rate limits.
const env = {
  LAYBY_SERVER__DATA: data,
  LAYBY_LIMITS__SAVES_PER_MINUTE: "0",
  LAYBY_LIMITS__PRICES_PER_MINUTE: "0",
  LAYBY_LIMITS__PAYMENT_PAGES_PER_HOUR: "0",
  LAYBY_LIMITS__PAYMENT_PAGES_PER_CLIENT: "0",
  LAYBY_LIMITS__QUOTE_LETTERS_PER_HOUR: "1",
};
let failed = false;

function must(holds, line) {
  console.log(`${holds ? "ok" : "NOT OK"}: ${line}`);
  failed ||= !holds;
}

/** Makes a control group with this much memory and no swap. */
function makeGroup(bytes) {
  const isV2 = existsSync("/sys/fs/cgroup/cgroup.controllers");
  const root = isV2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
  const group = join(root, `layby-small-memory-${process.pid}`);
  if (isV2) writeFileSync(join(root, "cgroup.subtree_control"), "+memory");
  mkdirSync(group);
  writeFileSync(join(group, isV2 ? "memory.max" : "memory.limit_in_bytes"), String(bytes));
  const swap = join(group, isV2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes");
  if (existsSync(swap)) writeFileSync(swap, isV2 ? "0" : String(bytes));
  const events = join(group, isV2 ? "memory.events" : "memory.oom_control");
  return {
    path: group,
    /** Returns the number of its processes that the system has killed. */
    killed: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(events, "utf8"))?.[1] ?? 0),
    remove: () => rmdirSync(group),
  };
}

const group = makeGroup(Number(memoryMb) << 20);

/** Starts the binary inside the group. */
function spawnInside(args, stdio) {
  const enter = `echo $$ > ${group.path}/cgroup.procs && exec "$0" "$@"`;
  const child = spawn("/bin/sh", ["-c", enter, binary, ...args], { env, stdio });
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)));
  return { child, ended };
}

/** Watches a process. Returns a function for its highest anonymous memory in MB, without mapped files. */
function watchMemory(child) {
  let most = 0;
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      most = Math.max(most, Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0));
    } catch {
      clearInterval(timer);
    }
  }, 100);
  child.once("exit", () => clearInterval(timer));
  return () => Math.round(most / 1024);
}

/** Starts the shop, and waits until it sells or is gone. */
async function start() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const began = Date.now();
  const shop = spawnInside(["serve", "--listen", `127.0.0.1:${port}`], "ignore");
  let end;
  shop.ended.then((how) => (end = how));
  const said = new Set();
  while (end === undefined) {
    const ready = await ask(`${url}/health/ready`);
    if (ready.status === 200) break;
    if (ready.text) said.add(ready.text.replace(/\d+/g, "N"));
    await pause(50);
  }
  const ready = ((Date.now() - began) / 1000).toFixed(1);
  return { ...shop, url, ready, said: [...said], isGone: () => end !== undefined, memory: watchMemory(shop.child) };
}

/** Runs visitors who buy until they are stopped or the shop is gone. Returns the number of policies. */
function sell(url) {
  let going = true;
  let sold = 0;
  const one = async () => {
    while (going) {
      try {
        const saved = await quote(url);
        if (saved && (await buy(url, saved))) sold += 1;
      } catch {
        going = false;
      }
    }
  };
  const all = Promise.all(Array.from({ length: VISITORS }, one));
  return async () => {
    going = false;
    await all;
    return sold;
  };
}

/** Runs `layby check` inside the group. */
async function check() {
  const began = Date.now();
  const { child, ended } = spawnInside(["check"], ["ignore", "pipe", "ignore"]);
  const memory = watchMemory(child);
  let said = "";
  child.stdout.on("data", (text) => (said += text));
  const status = await ended;
  const took = ((Date.now() - began) / 1000).toFixed(1);
  return { status, line: `${said.trim()} (${took} s, ${memory()} MB of its own)` };
}

function seed(policies) {
  const args = ["seed", "--customers", "1000", "--policies", String(policies)];
  const seeded = spawnSync(binary, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  if (seeded.status !== 0) throw new Error("the store could not be seeded");
  return statSync(store).size;
}

/** Sells for a while, and prints the result. */
async function sellFor(shop, words) {
  const stop = sell(shop.url);
  await pause(Number(seconds) * 1000);
  const sold = await stop();
  must(sold > 0 && !shop.isGone(), `${words}: sold ${sold} in ${seconds} s with ${shop.memory()} MB of its own`);
}

let shop;
try {
  const began = Date.now();
  // A store grows in steps, so the size of a policy is measured again for each part.
  let policies = FIRST_POLICIES;
  let size = seed(policies);
  for (let more; size < STORE_BYTES; policies += more) {
    more = Math.ceil((STORE_BYTES / size - 1) * policies);
    size = seed(more);
  }
  console.log(`a store of ${Math.round(size / 2 ** 20)} MB, seeded in ${Math.round((Date.now() - began) / 1000)} s`);

  shop = await start();
  must(!shop.isGone(), `ready after ${shop.ready} s`);
  await sellFor(shop, "at first");
  const beside = await check();
  must(beside.status === 0, `checked beside the shop: ${beside.line}; the shop had ${shop.memory()} MB of its own`);
  const stop = sell(shop.url);
  await pause(2000);
  shop.child.kill("SIGKILL");
  await shop.ended;
  await stop();

  shop = await start();
  must(!shop.isGone(), `killed: ready after ${shop.ready} s with ${shop.memory()} MB of its own; ${shop.said.join("; ")}`);
  await sellFor(shop, "repaired");
  shop.child.kill("SIGTERM");
  const end = await shop.ended;
  must(end === 0, `stopped with ${end}`);
  const alone = await check();
  must(alone.status === 0, `checked by itself: ${alone.line}`);
  must(group.killed() === 0, `the system ended ${group.killed()} processes for want of memory`);
} finally {
  shop?.child.kill("SIGKILL");
  await shop?.ended;
  // The group is empty a moment after its last process has ended.
  await pause(500);
  group.remove();
  rmSync(data, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
