#!/usr/bin/env node
// A shop with a store in PostgreSQL, whose synchronous standby is promoted under load. There are two runs,
// each with its own servers. In the first the primary dies, and then the standby is promoted. In the second
// the standby is promoted while the primary still runs; the primary stops two seconds later. The shop
// recovers by itself. Every acknowledged quote and policy is kept, and nobody is sold cover twice. The store
// and its books have no faults, also after a restore from a dump.
//
//     node tests/standby.mjs target/debug/layby [SECONDS [VISITORS]]
//
// SECONDS is the time of load before and after (default 10). VISITORS is the number of concurrent visitors
// (default 16), half of whom buy. The exit status is 1 if one of these fails, and 75 without PostgreSQL.
// docs/PERFORMANCE.md has the figures.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ask, buy, call, freePort, pause, quote } from "./visitors.mjs";

const [binary, seconds = "10", visitors = "16"] = process.argv.slice(2);
if (!binary) {
  console.error("name the binary: node tests/standby.mjs target/debug/layby");
  process.exit(2);
}
let failed = false;

function must(holds, line) {
  console.log(`${holds ? "ok" : "NOT OK"}: ${line}`);
  failed ||= !holds;
}

function unavailable(why) {
  console.log(`unavailable: ${why}`);
  process.exit(75);
}

/** Returns the folder of PostgreSQL's programs. */
function programs() {
  const asked = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" });
  const versions = "/usr/lib/postgresql";
  const installed = existsSync(versions) ? readdirSync(versions).map((one) => join(versions, one, "bin")) : [];
  const folders = [...installed, ...(asked.status === 0 ? [asked.stdout.trim()] : [])];
  const found = folders.filter((folder) => existsSync(join(folder, "pg_basebackup")) && existsSync(join(folder, "initdb")));
  return found.pop() ?? unavailable("PostgreSQL is not installed (on Debian: apt-get install postgresql)");
}

const bin = programs();
// The server refuses to run as root.
const isRoot = process.getuid() === 0;
const ids = (flag) => spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout.trim();
if (isRoot && !ids("-u")) unavailable("no user postgres to run PostgreSQL as");
const asUser = isRoot ? ["setpriv", `--reuid=${ids("-u")}`, `--regid=${ids("-g")}`, "--clear-groups"] : [];

/** Runs one of PostgreSQL's programs to its end. Returns its output. */
function pg(name, ...args) {
  const [first, ...rest] = [...asUser, join(bin, name), ...args];
  const done = spawnSync(first, rest, { cwd: "/", encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${name}: ${done.stderr}`);
  return done.stdout.trim();
}

/** Starts a server. Returns it once it accepts connections. */
async function server(folder, port, ...settings) {
  const args = ["-D", folder, "-p", `${port}`, "-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=${folder}`];
  const [first, ...rest] = [...asUser, join(bin, "postgres"), ...args, ...settings.flatMap((one) => ["-c", one])];
  const log = openSync(`${folder}.log`, "a");
  const process = spawn(first, rest, { cwd: "/", stdio: ["ignore", log, log] });
  const ended = new Promise((resolve) => process.once("exit", resolve));
  for (let tries = 0; tries < 200; tries += 1) {
    const is = spawnSync(join(bin, "pg_isready"), ["--quiet", "-h", "127.0.0.1", "-p", `${port}`]);
    if (is.status === 0) return { folder, port, process, ended };
    await pause(50);
  }
  throw new Error(`the server in ${folder} doesn't start`);
}

/** Returns the result of a query. */
function asked({ port }, query) {
  return pg("psql", "-h", "127.0.0.1", "-p", `${port}`, "-U", "layby", "-Atc", query, "postgres");
}

/** Kills a server, as a power cut would. */
async function dies(one) {
  one.process.kill("SIGQUIT");
  await one.ended;
}

/** Starts a server and its synchronous standby. */
async function pair(folder) {
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  pg("initdb", "-D", first, "--username=layby", "--auth=trust", "--no-locale", "--encoding=UTF8");
  const primary = await server(first, await freePort(), "synchronous_standby_names=standby");
  const from = `host=127.0.0.1 port=${primary.port} user=layby application_name=standby`;
  pg("pg_basebackup", "-d", from, "-D", second, "--write-recovery-conf", "--checkpoint=fast");
  const standby = await server(second, await freePort());
  const state = "SELECT sync_state FROM pg_stat_replication";
  for (let tries = 0; asked(primary, state) !== "sync"; tries += 1) {
    if (tries > 100) throw new Error("the standby doesn't follow");
    await pause(50);
  }
  return { primary, standby };
}

async function shop(env) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(join(env.LAYBY_SERVER__DATA, "log"), "a");
  const process = spawn(binary, ["serve", "--listen", `127.0.0.1:${port}`], { env, stdio: ["ignore", "ignore", log] });
  const ended = new Promise((resolve) => process.once("exit", resolve));
  for (let tries = 0; (await ask(`${url}/health/ready`)).status !== 200; tries += 1) {
    if (tries > 600) throw new Error("the shop isn't ready");
    await pause(50);
  }
  return { url, process, ended };
}

/** Uses the shop until it is stopped. A refused visitor retries, as the website does. */
function load(url) {
  let going = true;
  const made = { quotes: [], policies: [], refused: 0, times: [] };
  const tried = async (step) => {
    while (going) {
      const done = await step().catch(() => undefined);
      if (done) return done;
      made.refused += 1;
      await pause(100);
    }
    return undefined;
  };
  const one = async (_, number) => {
    while (going) {
      const saved = await tried(() => quote(url));
      if (!saved) return;
      made.quotes.push(saved);
      made.times.push(Date.now());
      if (number % 2 === 0 && (await tried(() => buy(url, saved)))) made.policies.push(saved);
    }
  };
  const all = Promise.all(Array.from({ length: Number(visitors) }, one));
  return {
    made,
    stop: async () => {
      going = false;
      await all;
      return made;
    },
  };
}

/** Returns how much of the acknowledged data the shop lacks. */
async function lost(url, { quotes, policies }) {
  let missing = 0;
  const wanted = [
    ...quotes.map((one) => [`/api/v2/public/quote/read/${one.uuid}`, one.token]),
    ...policies.map((one) => [`/api/v2/policy/read/${one.uuid}`, one.token]),
  ];
  for (const [path, token] of wanted) {
    const { status } = await call(url, "GET", path, { token });
    if (status !== 200) {
      missing += 1;
      console.log(`${path} answered ${status}`);
    }
  }
  return missing;
}

async function round(name, fail) {
  const folder = mkdtempSync(join(tmpdir(), "layby-standby-"));
  const running = [];
  try {
    console.log(`\n${name}`);
    const data = join(folder, "data");
    mkdirSync(data);
    if (isRoot) {
      chmodSync(folder, 0o777);
    }
    const { primary, standby } = await pair(folder);
    running.push(primary, standby);
    const env = {
      LAYBY_SERVER__DATA: data,
      LAYBY_STORE__URL: `postgres://layby@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
      LAYBY_DOCUMENTS__URL: `file://${join(folder, "documents")}`,
      LAYBY_LIMITS__SAVES_PER_MINUTE: "0",
      LAYBY_LIMITS__TOTAL_SAVES_PER_HOUR: "0",
      LAYBY_LIMITS__PRICES_PER_MINUTE: "0",
      LAYBY_LIMITS__PAYMENT_PAGES_PER_HOUR: "0",
      LAYBY_LIMITS__PAYMENT_PAGES_PER_CLIENT: "0",
    };
    const open = await shop(env);
    running.push(open);
    const visiting = load(open.url);
    await pause(Number(seconds) * 1000);
    const before = visiting.made.times.length;
    const failing = Date.now();
    const gone = await fail(primary, standby);
    await pause(Number(seconds) * 1000);
    const { times, quotes, policies, refused } = await visiting.stop();
    const first = times.find((time) => time > gone);
    must(before > 0, `before: ${before} quotes acknowledged in ${seconds} s`);
    must(first - gone < 10_000, `${first - gone} ms after the first server was gone and the second one promoted a quote was acknowledged`);
    const last = times.filter((time) => time < first).pop();
    console.log(`nothing was acknowledged for ${first - last} ms, ${refused} calls were refused and tried again`);
    const kept = times.filter((time) => time > failing).length;
    console.log(`after: ${kept} quotes`);
    const missing = await lost(open.url, { quotes, policies });
    must(missing === 0, `of ${quotes.length} quotes and ${policies.length} policies that were acknowledged ${missing} are lost`);
    open.process.kill("SIGTERM");
    must((await open.ended) === 0, "the shop stopped in order");
    const checked = spawnSync(binary, ["check"], { env, encoding: "utf8" });
    must(checked.status === 0, `the store and its books: ${checked.stdout.trim()} ${checked.stderr.trim()}`);
    const exported = spawnSync(binary, ["export", "policies", "--format", "jsonl"], { env, encoding: "utf8", maxBuffer: 1 << 30 });
    const sold = exported.stdout.trim().split("\n").map((line) => JSON.parse(line).uuid);
    must(new Set(sold).size === sold.length, `${sold.length} policies, none of a quote that was sold already`);

    // A backup by PostgreSQL's own tools is a store as well.
    const dump = join(folder, "dump");
    pg("pg_dump", "-h", "127.0.0.1", "-p", `${standby.port}`, "-U", "layby", "-f", dump, "postgres");
    asked(standby, "CREATE DATABASE backup");
    pg("psql", "-h", "127.0.0.1", "-p", `${standby.port}`, "-U", "layby", "-q", "-f", dump, "backup");
    const again = { ...env, LAYBY_STORE__URL: env.LAYBY_STORE__URL.replace(/postgres$/, "backup") };
    const restored = spawnSync(binary, ["check"], { env: again, encoding: "utf8" });
    must(restored.status === 0 && restored.stdout === checked.stdout, `put back from a dump: ${restored.stdout.trim()}`);
  } finally {
    for (const one of running) one.process.kill("SIGQUIT");
    await Promise.all(running.map((one) => one.ended));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Promotes a standby, while visitors continue. */
async function promote({ folder }) {
  const [first, ...rest] = [...asUser, join(bin, "pg_ctl"), "promote", "-D", folder, "--wait"];
  const promoting = spawn(first, rest, { cwd: "/", stdio: "ignore" });
  const status = await new Promise((resolve) => promoting.once("exit", resolve));
  if (status !== 0) throw new Error(`pg_ctl promote ended with ${status}`);
}

await round("the server dies, and its standby is promoted", async (primary, standby) => {
  await dies(primary);
  await promote(standby);
  return Date.now();
});
await round("the standby is promoted, and two seconds later the server is stopped", async (primary, standby) => {
  await promote(standby);
  await pause(2000);
  await dies(primary);
  return Date.now();
});
process.exit(failed ? 1 : 0);
