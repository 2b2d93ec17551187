// Floods a running shop. Measures whether a visitor beside the flood can buy, and the cost:
//
//     cargo build && node tests/floods.mjs [target/debug/layby [stalledBodies logIns ...]]
//
// It needs Linux (many loopback addresses, /proc), curl, and `ulimit -n` of 12,000 or more. It takes three
// minutes. One of them checks that a shortage is logged once a minute. It prints a line for each measurement.
// The exit status is 1 if a measurement breaks a promise of docs/SECURITY.md. The figures there are from it.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const binary = resolve(process.argv[2] ?? "target/debug/layby");
const wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
let failed = 0;

function say(what, figure, holds) {
  console.log(`${holds ? "ok  " : "FAIL"} ${what}: ${figure}`);
  failed += holds ? 0 : 1;
}

/** Starts a shop with a limit of open files, and settings as variables. Returns its handle. */
async function start(files, settings = {}, seed = false) {
  const data = mkdtempSync(join(tmpdir(), "layby-flood-"));
  const command = `ulimit -n ${files}; exec "$0" serve --listen 127.0.0.1:0 ${seed ? "--seed" : ""}`;
  const shop = spawn("bash", ["-c", command, binary], {
    env: {
      PATH: process.env.PATH,
      LAYBY_CLOCK: "2026-11-21T12:00:00Z",
      LAYBY_SERVER__DATA: data,
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  shop.stderr.on("data", (text) => (log += text));
  let said = "";
  const port = await new Promise((found, lost) => {
    shop.stdout.on("data", (text) => {
      said += text;
      const line = said.match(/listening on http:\/\/127\.0\.0\.1:(\d+)/);
      if (line) found(Number(line[1]));
    });
    shop.on("exit", () => lost(new Error(`the shop stopped: ${log}`)));
  });
  shop.removeAllListeners("exit");
  const status = (name) => {
    const line = readFileSync(`/proc/${shop.pid}/status`, "utf8").match(new RegExp(`${name}:\\s+(\\d+)`));
    return Number(line[1]) / 1024;
  };
  return {
    port,
    /** Returns the number of log lines about a shortage of connections. */
    shortages: () => log.match(/connections run out/g)?.length ?? 0,
    /** The demonstration customers, and their common password. */
    customers: () => [...said.matchAll(/^ {2}(\S+@\S+)$/gm)].map(([, address]) => address),
    password: () => said.match(/all with the password (\S+):/)[1],
    /** Returns the highest memory since the start, in MB. */
    mostMemory: () => status("VmHWM"),
    /** Returns the processor time, in seconds. */
    time: () => {
      const fields = readFileSync(`/proc/${shop.pid}/stat`, "utf8").split(") ")[1].split(" ");
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    stop: () =>
      new Promise((stopped) => {
        shop.on("exit", (code) => {
          rmSync(data, { recursive: true, force: true });
          stopped(code);
        });
        shop.kill("SIGTERM");
      }),
  };
}

/** Makes a call from the client address `from`. Returns status, body and seconds. */
function call(port, method, path, { body, token, cookie, from = "127.0.0.1", type = "application/json" } = {}) {
  const began = Date.now();
  return new Promise((answered) => {
    const headers = { Connection: "close" };
    if (body !== undefined) headers["Content-Type"] = type;
    if (cookie) headers.Cookie = cookie;
    if (token) headers.Authorization = `Bearer ${token}`;
    const sent = request(
      { host: "127.0.0.1", port, method, path, headers, localAddress: from, agent: false, timeout: 60_000 },
      (answer) => {
        let text = "";
        answer.on("data", (piece) => (text += piece));
        answer.on("end", () => {
          const seconds = (Date.now() - began) / 1000;
          answered({ status: answer.statusCode, text, seconds, headers: answer.headers });
        });
        answer.on("error", () => answered({ status: 0, text, seconds: (Date.now() - began) / 1000 }));
      },
    );
    sent.on("error", (error) => answered({ status: 0, text: String(error), seconds: (Date.now() - began) / 1000 }));
    sent.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
  });
}

/**
 * Logs in from a separate process, because this process is busy with its flood and would measure itself.
 * Returns status and seconds.
 */
function logInApart(port, username, password, from, cookie) {
  const said = ["-s", "-o", "/dev/null", "-w", "%{http_code} %{time_total}", "-m", "60", "--interface", from];
  const sent = ["-H", "Content-Type: application/json", "-H", `Cookie: ${cookie}`];
  const body = ["--data", JSON.stringify({ username, password })];
  const curl = spawn("curl", [...said, ...sent, ...body, `http://127.0.0.1:${port}/api/login`]);
  let text = "";
  curl.stdout.on("data", (piece) => (text += piece));
  return new Promise((answered) => {
    curl.on("close", () => {
      const [status, seconds] = text.split(" ").map(Number);
      answered({ status, seconds });
    });
  });
}

/** Two vehicles for a year, from a day after the shop's clock. */
const product = {
  product_identifier: "breakdown",
  values: {
    title: 2, first_name: "Ann", last_name: "Other", date_of_birth: "03.04.1980",
    email_primary: "ann@example.org", tel_primary: "07400 123456",
    address_primary: "1 High Street\nLeeds", postcode_primary: "ls6 1ab",
    cover_type: 2, cover_level: 3, excess: 2, start_date: "25.11.2026",
  },
  multi: {
    vehicles: [
      { vehicle_type: 1, vehicle_registration: "ab12 cde", vehicle_registration_date: "01.03.2012" },
      { vehicle_type: 3, vehicle_registration: "K1 NGS", vehicle_registration_date: "01.08.2015" },
    ],
  },
};

/** Buys as a visitor. Returns the seconds, or the failure. */
async function buys(port, from) {
  const began = Date.now();
  const made = await call(port, "POST", "/api/v2/public/quote/breakdown", { body: { product }, from });
  if (made.status !== 201) return `creating answered ${made.status} ${made.text.slice(0, 300)}`;
  const { uuid, consumer_token: token } = JSON.parse(made.text).data;
  const terms = { payment_frequency: "annual", terms_and_conditions: true };
  const accepted = await call(port, "POST", `/api/v1/quote/update-accept/${uuid}`, { body: terms, token, from });
  if (accepted.status !== 200) return `accepting answered ${accepted.status}`;
  const started = await call(port, "POST", "/api/v1/gateway/sandbox/initiate", { body: { uuid }, token, from });
  if (started.status !== 200) return `initiating answered ${started.status}`;
  const card = "card_number=4242424242424242&expiry=12%2F40&cvc=123&cardholder=Ann";
  const type = "application/x-www-form-urlencoded";
  const paid = await call(port, "POST", JSON.parse(started.text).data.url, { body: card, type, from });
  if (paid.status !== 200) return `paying answered ${paid.status}`;
  for (let tries = 0; tries < 100; tries += 1) {
    const policy = await call(port, "GET", `/api/v2/policy/read/${uuid}`, { token, from });
    if (policy.status === 200) return (Date.now() - began) / 1000;
    await wait(0.1);
  }
  return "no policy came of it";
}

/** Opens a connection that sends a text and then stalls. A `deaf` one reads no response. */
function stall(port, from, text, deaf = false) {
  return new Promise((connected) => {
    const socket = connect({ host: "127.0.0.1", port, localAddress: from });
    const began = Date.now();
    socket.heard = "";
    if (!deaf) socket.on("data", (piece) => (socket.heard += piece.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => (socket.gone = (Date.now() - began) / 1000));
    socket.on("connect", () => socket.write(text, () => connected(socket)));
    socket.on("close", () => connected(socket));
  });
}

async function stallMany(port, number, text, address, deaf = false) {
  const sockets = [];
  for (let from = 0; from < number; from += 100) {
    const some = Array.from({ length: Math.min(100, number - from) }, (_, i) => from + i);
    sockets.push(...(await Promise.all(some.map((i) => stall(port, address(i), text, deaf)))));
  }
  return sockets;
}

const many = (i) => `127.1.${Math.floor(i / 200)}.${(i % 200) + 1}`;
const bought = (result) => (typeof result === "number" ? `a visitor bought in ${result} s` : result);
const buying = (result) => typeof result === "number" && result < 10;

async function stalledBodies() {
  const shop = await start(8192);
  const before = shop.mostMemory();
  const head =
    "POST /api/v2/public/quote/breakdown HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 65536\r\n\r\n";
  const sockets = await stallMany(shop.port, 2000, head + " ".repeat(65_535), many);
  await wait(3);
  const visitor = await buys(shop.port, "127.2.0.1");
  const memory = shop.mostMemory();
  const answered = sockets.filter((socket) => socket.heard.startsWith("HTTP/1.1 503")).length;
  say(
    "2,000 bodies of 64 KiB that stall",
    `${memory.toFixed(0)} MB (${before.toFixed(0)} before), ${answered} were told 503; ${bought(visitor)}`,
    memory < 300 && buying(visitor),
  );
  await wait(29);
  const late = sockets.filter((socket) => socket.heard.startsWith("HTTP/1.1 408")).length;
  say("those that were let in", `${late} were told 408 after 30 s`, late > 0 && late + answered >= 1990);
  for (const socket of sockets) socket.destroy();
  await shop.stop();
}

async function largeBodies() {
  const shop = await start(8192);
  const head =
    "POST /api/v2/public/quote/breakdown HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n";
  const sockets = await stallMany(shop.port, 900, head + " ".repeat(1_000_000), many);
  const visitor = await buys(shop.port, "127.2.0.1");
  const memory = shop.mostMemory();
  say("900 bodies of 1 MiB that stall", `${memory.toFixed(0)} MB; ${bought(visitor)}`, memory < 300 && buying(visitor));
  for (const socket of sockets) socket.destroy();
  await shop.stop();
}

async function slowHeads() {
  const shop = await start(8192);
  const began = Date.now();
  const sockets = await stallMany(shop.port, 2000, `GET / HTTP/1.1\r\nX-Long: ${"x".repeat(15_000)}`, many);
  const visitor = await buys(shop.port, "127.2.0.1");
  const memory = shop.mostMemory();
  while (sockets.some((socket) => !socket.gone) && Date.now() - began < 40_000) await wait(0.1);
  const longest = Math.max(...sockets.map((socket) => socket.gone ?? 60));
  say(
    "2,000 heads of 15 kB without an end",
    `${memory.toFixed(0)} MB; ${bought(visitor)}; each was closed within ${longest} s`,
    memory < 300 && buying(visitor) && longest < 15,
  );
  await shop.stop();
}

async function descriptors() {
  const shop = await start(1024);
  const sockets = await stallMany(shop.port, 3000, "", many);
  const time = shop.time();
  const visitor = await buys(shop.port, "127.2.0.1");
  await wait(3);
  const spent = shop.time() - time;
  const open = sockets.filter((socket) => !socket.gone).length;
  const lines = shop.shortages();
  say(
    "3,000 idle connections with 1,024 files",
    `${open} are open; ${bought(visitor)}; ${spent.toFixed(1)} s of processor time in 3 s and the sale; logged ${lines} times`,
    buying(visitor) && open <= 768 && lines === 1 && spent < 3,
  );
  for (const socket of sockets) socket.destroy();
  const one = await stallMany(shop.port, 600, "", () => "127.3.0.1");
  await wait(1);
  const own = one.filter((socket) => !socket.gone).length;
  say("600 idle connections from one address", `${own} are open`, own === 256);
  for (const socket of one) socket.destroy();
  await shop.stop();
}

async function noFileLeft() {
  // The setting exceeds the limit of open files, so accepting connections fails.
  const shop = await start(256, { LAYBY_SERVER__MAX_CONNECTIONS: "100000" });
  const sockets = await stallMany(shop.port, 600, "", many);
  const began = Date.now();
  const time = shop.time();
  await wait(3);
  const spent = shop.time() - time;
  const visitor = await call(shop.port, "GET", "/health/live", { from: "127.2.0.1" });
  const first = shop.shortages();
  say(
    "more connections allowed than files",
    `${spent.toFixed(1)} s of processor time in 3 s; a visitor is answered ${visitor.status} after ${visitor.seconds} s; logged ${first} times`,
    spent < 1 && visitor.status === 200 && first === 1,
  );
  // The flood lasts for more than a minute, and for less than two.
  while (Date.now() - began < 75_000) {
    sockets.push(...(await stallMany(shop.port, 30, "", many)));
    await wait(1);
  }
  const lines = shop.shortages();
  say("files run out for 75 s", `logged ${lines} times`, lines === 2);
  for (const socket of sockets) socket.destroy();
  await shop.stop();
}

/** The start of HTTP/2, with empty settings. */
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", "latin1");

async function streams() {
  const off = await start(1024);
  const refused = await stall(off.port, "127.0.0.1", PREFACE);
  await wait(0.5);
  say("HTTP/2 that wasn't asked for", refused.gone ? "is closed" : "is open", refused.gone > 0);
  await off.stop();

  const shop = await start(1024, { LAYBY_SERVER__HTTP2: "true" });
  const socket = await stall(shop.port, "127.0.0.1", PREFACE);
  // Heads of 20,000 requests without their bodies: method POST, path and authority uncompressed.
  const text = (string) => Buffer.concat([Buffer.from([string.length]), Buffer.from(string)]);
  const block = Buffer.concat([
    Buffer.from([0x83, 0x86, 0x04]),
    text("/api/v1/price"),
    Buffer.from([0x01]),
    text("a"),
    Buffer.from([0x0f, 0x10]),
    text("application/json"),
  ]);
  const frame = (stream) => {
    const head = Buffer.from([0, 0, block.length, 1, 4, 0, 0, 0, 0]);
    head.writeUInt32BE(stream, 5);
    return Buffer.concat([head, block]);
  };
  const before = shop.mostMemory();
  for (let stream = 1; stream < 40_000; stream += 2) socket.write(frame(stream));
  await wait(3);
  const memory = shop.mostMemory();
  const visitor = await buys(shop.port, "127.2.0.1");
  say(
    "20,000 streams on one HTTP/2 connection",
    `${memory.toFixed(0)} MB (${before.toFixed(0)} before); ${bought(visitor)}`,
    memory < 200 && buying(visitor),
  );
  socket.destroy();
  await shop.stop();
}

async function unreadAnswers() {
  const shop = await start(8192);
  const sockets = await stallMany(shop.port, 1500, "GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20), many, true);
  await wait(4);
  const visitor = await buys(shop.port, "127.2.0.1");
  const memory = shop.mostMemory();
  say("1,500 clients that don't read", `${memory.toFixed(0)} MB; ${bought(visitor)}`, memory < 300 && buying(visitor));
  for (const socket of sockets) socket.destroy();
  await shop.stop();
}

async function logIns() {
  const shop = await start(8192, {}, true);
  const logIn = (username, password, from, cookie) =>
    call(shop.port, "POST", "/api/login", { body: { username, password }, from, cookie });
  // A browser that has logged in before.
  const [ann] = shop.customers();
  const home = await logIn(ann, shop.password(), "127.2.0.2");
  const cookies = home.headers["set-cookie"].map((line) => line.split(";")[0]);
  const device = cookies.find((cookie) => cookie.startsWith("layby_device="));

  const before = await logInApart(shop.port, ann, shop.password(), "127.2.0.2", device);

  // 2,000 unknown clients at once. A refused client comes back after the requested wait.
  const began = Date.now();
  const lasts = 8_000;
  const guess = async (number) => {
    const answers = [];
    do {
      answers.push(await logIn(`u${number}@example.org`, "Wrong-pass-1", many(number)));
      if (answers.at(-1).status === 503) await wait(Number(answers.at(-1).headers["retry-after"]));
    } while (answers.at(-1).status === 503 && Date.now() - began < lasts);
    return answers;
  };
  const flood = Promise.all(Array.from({ length: 2000 }, (_, number) => guess(number)));
  await wait(0.5);
  const stranger = async () => {
    const asked = Date.now();
    let tries = 0;
    let answer;
    do {
      tries += 1;
      answer = await logIn("nobody@example.org", "Wrong-pass-1", "127.2.0.1");
      if (answer.status === 503) await wait(Number(answer.headers["retry-after"]));
    } while (answer.status === 503);
    return { took: (Date.now() - asked) / 1000, tries };
  };
  const visitor = stranger();
  const known = [];
  while (Date.now() - began < lasts) {
    known.push(await logInApart(shop.port, ann, shop.password(), "127.2.0.2", device));
    await wait(0.5);
  }
  const answers = await flood;
  const busy = answers.filter(([first]) => first.status === 503).length;
  const slowest = Math.max(...answers.flat().map((answer) => answer.seconds));
  const { took, tries } = await visitor;
  say(
    "2,000 log-ins at once",
    `${busy} were told 503; the slowest answer took ${slowest} s; another had its answer after ${took} s and ${tries} tries`,
    busy > 1000 && took < 15,
  );
  const waited = Math.max(...known.map((answer) => answer.seconds));
  say(
    "a browser that is known, beside them",
    `logged in ${known.length} times in ${lasts / 1000} s, each answered ${[...new Set(known.map(({ status }) => status))]}, the slowest after ${waited} s (${before.seconds} s before the flood)`,
    known.length > 0 && known.every((answer) => answer.status === 200) && waited < 2,
  );
  await shop.stop();
}

/** The floods named after the binary, or all. */
const wanted = process.argv.slice(3);
for (const flood of [
  stalledBodies,
  largeBodies,
  slowHeads,
  descriptors,
  noFileLeft,
  streams,
  unreadAnswers,
  logIns,
]) {
  if (wanted.length === 0 || wanted.includes(flood.name)) await flood();
}
process.exit(failed === 0 ? 0 : 1);
