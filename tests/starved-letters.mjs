// Queues 100,000 letters about quotes. Measures how long the letters about a forgotten password and a
// purchase wait:
//
//     cargo build && node tests/starved-letters.mjs [target/debug/layby] [102000]
//
// It takes a minute with a release build, mostly to save the quotes. The exit status is 1 if the shop counts
// fewer than 100,000 queued letters. It is also 1 if a letter takes longer than docs/SECURITY.md promises.
// The figures there are from it.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const binary = resolve(process.argv[2] ?? "target/debug/layby");
const quotes = Number(process.argv[3] ?? 102_000);
/** Number of letters that must be queued. The letters beyond it are sent meanwhile. */
const MUST_WAIT = Math.round(quotes / 1.02);
/** The mail server's delay for each letter. */
const SLOW_MS = 1000;
const PROMISED_SECONDS = 5;
const wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

/** The first letter of each recipient: its time and its text. */
const arrived = new Map();

/** A mail server that accepts every letter, slowly. */
const server = createServer((socket) => {
  let inLetter = false;
  let to = "";
  let heard = "";
  let text = [];
  const answer = (line) => socket.write(`${line}\r\n`);
  const hear = (line) => {
    if (inLetter) {
      if (line !== ".") {
        text.push(line);
        return;
      }
      inLetter = false;
      setTimeout(() => {
        if (!arrived.has(to)) arrived.set(to, { at: Date.now(), text: text.join("\n") });
        answer("250 2.0.0 taken");
      }, SLOW_MS);
      return;
    }
    const word = line.slice(0, 4).toUpperCase();
    if (word === "RCPT") to = line.slice(line.indexOf("<") + 1, line.indexOf(">"));
    if (word === "DATA") {
      inLetter = true;
      text = [];
      answer("354 go on");
    } else if (word === "QUIT") {
      socket.end("221 bye\r\n");
    } else {
      answer("250 ok");
    }
  };
  answer("220 ready");
  socket.on("error", () => {});
  socket.on("data", (piece) => {
    heard += piece.toString("latin1");
    const lines = heard.split("\r\n");
    heard = lines.pop();
    for (const line of lines) hear(line);
  });
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));

const data = mkdtempSync(join(tmpdir(), "layby-letters-"));
const env = {
  PATH: process.env.PATH,
  LAYBY_CLOCK: "2026-11-21T12:00:00Z",
  LAYBY_LOG__LEVEL: "warn",
  LAYBY_SERVER__DATA: data,
  LAYBY_LIMITS__SAVES_PER_MINUTE: "0",
  LAYBY_LIMITS__TOTAL_SAVES_PER_HOUR: "0",
  LAYBY_LIMITS__QUOTE_LETTERS_PER_HOUR: "0",
  LAYBY_LIMITS__QUOTE_LETTERS_PER_CLIENT_PER_HOUR: "0",
  LAYBY_MAIL__QUOTE_DELAY_SECONDS: "0",
  LAYBY_MAIL__SMTP__HOST: "127.0.0.1",
  LAYBY_MAIL__SMTP__PORT: String(server.address().port),
  LAYBY_MAIL__SMTP__SECURITY: "none",
};
/** Customers, each with an account and a password. */
const seeded = execFileSync(binary, ["seed", "--customers", "5", "--policies", "5"], {
  env,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
});
const password = seeded.match(/all with the password (\S+):/)[1];
const customers = [...seeded.matchAll(/^ {2}(\S+@\S+)$/gm)].map(([, address]) => address);
const shop = spawn(binary, ["serve", "--listen", "127.0.0.1:0"], { env, stdio: ["ignore", "pipe", "inherit"] });
const port = await new Promise((found, lost) => {
  let said = "";
  shop.on("exit", () => lost(new Error("the shop stopped")));
  shop.stdout.on("data", (text) => {
    said += text;
    const line = said.match(/listening on http:\/\/127\.0\.0\.1:(\d+)/);
    if (line) found(Number(line[1]));
  });
});

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Makes a call. Returns its JSON. */
function call(method, path, { body, token, type = "application/json" } = {}) {
  return new Promise((answered, failed) => {
    const headers = { "Content-Type": type };
    if (token) headers.Authorization = `Bearer ${token}`;
    const sent = request({ host: "127.0.0.1", port, method, path, headers, agent }, (answer) => {
      let text = "";
      answer.on("data", (piece) => (text += piece));
      answer.on("end", () => {
        if (answer.statusCode >= 300) failed(new Error(`${path} answered ${answer.statusCode} ${text}`));
        else answered(type === "application/json" ? JSON.parse(text) : text);
      });
    });
    sent.on("error", failed);
    sent.end(typeof body === "string" ? body : JSON.stringify(body));
  });
}

const product = (address) => ({
  product_identifier: "breakdown",
  values: {
    title: 2, first_name: "Ann", last_name: "Other", date_of_birth: "03.04.1980",
    email_primary: address, tel_primary: "07400 123456",
    address_primary: "1 High Street\nLeeds", postcode_primary: "ls6 1ab",
    cover_type: 2, cover_level: 3, excess: 2, start_date: "25.11.2026",
  },
  multi: {
    vehicles: [
      { vehicle_type: 1, vehicle_registration: "ab12 cde", vehicle_registration_date: "01.03.2012" },
    ],
  },
});
const save = (address) =>
  call("POST", "/api/v2/public/quote/breakdown", { body: { product: product(address) } });

async function saveMany() {
  let next = 0;
  const saver = async () => {
    while (next < quotes) {
      next += 1;
      await save(`visitor-${next}@example.org`);
    }
  };
  await Promise.all(Array.from({ length: 32 }, saver));
}

/** Returns the number of queued letters, as the shop reports it. */
function waiting() {
  const list = execFileSync(binary, ["mail", "list"], { env, encoding: "utf8", maxBuffer: 1 << 26 });
  return Number(list.match(/^(\d+) letters wait/m)[1]);
}

const logIn = (username, secret) => call("POST", "/api/login", { body: { username, password: secret } });

/** Buys. Returns the time at which the card was entered. */
async function buy(address) {
  const made = await save(address);
  const { uuid, consumer_token: token } = made.data;
  const terms = { payment_frequency: "annual", terms_and_conditions: true };
  await call("POST", `/api/v1/quote/update-accept/${uuid}`, { body: terms, token });
  const started = await call("POST", "/api/v1/gateway/sandbox/initiate", { body: { uuid }, token });
  const body = "card_number=4242424242424242&expiry=12%2F40&cvc=123&cardholder=Ann";
  const type = "application/x-www-form-urlencoded";
  const paid = Date.now();
  await call("POST", started.data.url, { body, type });
  for (let status = ""; status !== "paid"; await wait(0.05)) {
    status = (await call("GET", `/api/v1/payment/${uuid}`, { token })).data.status;
  }
  return paid;
}

/** Returns the letter to an address, and the seconds until it arrived. */
async function letter(address, began) {
  while (!arrived.has(address)) {
    if (Date.now() - began > 120_000) return { seconds: Number.POSITIVE_INFINITY, text: "" };
    await wait(0.02);
  }
  const { at, text } = arrived.get(address);
  return { seconds: (at - began) / 1000, text };
}

/** Requests the letter with a password link as a customer, and follows the link. */
async function resets(address, number) {
  await logIn(address, password);
  const asked = Date.now();
  await call("POST", "/api/v1/retrieve-password-request", { body: { username: address } });
  const { seconds, text } = await letter(address, asked);
  const subject = text.match(/^Subject: (.*)$/m)?.[1];
  const hash = text.match(/\/reset-password\?aid=([\w-]+)/)?.[1];
  const fresh = `Fresh-pass-${number}`;
  const body = { hash, username: address, password: fresh, password_rpt: fresh };
  await call("POST", "/api/v1/retrieve-password", { body });
  await logIn(address, fresh);
  return { seconds, subject };
}

let failed = false;
function must(holds, line) {
  console.log(`${holds ? "ok" : "NOT OK"}: ${line}`);
  failed ||= !holds;
}

try {
  const began = Date.now();
  await saveMany();
  const took = ((Date.now() - began) / 1000).toFixed(0);
  const before = waiting();
  must(
    before >= MUST_WAIT,
    `${before} of ${quotes} letters about quotes wait, saved in ${took} s; the mail server takes ${SLOW_MS} ms for each`,
  );
  must(customers.length >= 3, `${customers.length} customers have an account and a password`);
  for (const [number, address] of customers.entries()) {
    const { seconds, subject } = await resets(address, number);
    must(
      seconds <= PROMISED_SECONDS && subject.startsWith("Reset your "),
      `"${subject}" came after ${seconds} s, and its link set a new password`,
    );
  }
  const { seconds } = await letter("buyer@example.org", await buy("buyer@example.org"));
  must(seconds <= PROMISED_SECONDS, `a purchase's letter came ${seconds} s after the card was given`);
  const after = waiting();
  must(after >= MUST_WAIT, `${after} letters waited still`);
} finally {
  shop.removeAllListeners("exit");
  shop.kill("SIGKILL");
  server.close();
  rmSync(data, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
