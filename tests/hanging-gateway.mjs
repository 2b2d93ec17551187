#!/usr/bin/env node
// Checkout beside a gateway that never answers. Five hundred customers start a payment at Global Payments,
// whose server accepts connections and sends nothing. Meanwhile other customers buy with the sandbox.
//
//     node tests/hanging-gateway.mjs target/dist/layby [ROUNDS]
//
// Each round has two turns of twenty purchases: one without the five hundred attempts, one with them. Ten of
// those are made at once, and ten when the jobs ask the gateway about the attempts. The shop of each turn is new. The median of the rounds' ratios must be at most 1.1, and each purchase must succeed.
// The exit status is 1 if one of these fails. docs/PERFORMANCE.md has the figures.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ask, buy, call, freePort, pause, quote } from "./visitors.mjs";

const [binary, rounds = "8"] = process.argv.slice(2);
if (!binary) {
  console.error("node tests/hanging-gateway.mjs target/dist/layby");
  process.exit(2);
}
const [ATTEMPTS, PURCHASES, SLOWEST] = [500, 20, 1.1];
/** From the attempts until the jobs ask about them. */
const JOBS_ASK_MS = 21_000;

const sockets = new Set();
const gateway = createServer((socket) => {
  sockets.add(socket);
  socket.on("error", () => {}).on("close", () => sockets.delete(socket));
});
const gatewayPort = await freePort();
await new Promise((resolve) => gateway.listen(gatewayPort, "127.0.0.1", resolve));

async function start(data) {
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    LAYBY_PAYMENTS__GATEWAYS: "sandbox,globalpayments",
    LAYBY_PAYMENTS__GLOBALPAYMENTS__APP_ID: "app",
    LAYBY_PAYMENTS__GLOBALPAYMENTS__APP_KEY: "key",
    LAYBY_PAYMENTS__GLOBALPAYMENTS__ACCOUNT_NAME: "account",
    LAYBY_PAYMENTS__GLOBALPAYMENTS__TEST: "true",
    LAYBY_PAYMENTS__GLOBALPAYMENTS__API_URL: `http://127.0.0.1:${gatewayPort}/ucp`,
    LAYBY_SERVER__MAX_CONNECTIONS_PER_ADDRESS: "2000",
    LAYBY_LIMITS__SAVES_PER_MINUTE: "0",
    LAYBY_LIMITS__TOTAL_SAVES_PER_HOUR: "0",
    LAYBY_LIMITS__PRICES_PER_MINUTE: "0",
    LAYBY_LIMITS__PAYMENT_PAGES_PER_HOUR: "0",
    LAYBY_LIMITS__PAYMENT_PAGES_PER_CLIENT: "0",
    LAYBY_LIMITS__QUOTE_LETTERS_PER_HOUR: "0",
    LAYBY_LIMITS__QUOTE_LETTERS_PER_CLIENT_PER_HOUR: "0",
  };
  const url = `http://127.0.0.1:${port}`;
  const shop = spawn(binary, ["serve", "--listen", `127.0.0.1:${port}`, "--data", data], {
    env, cwd: data, stdio: ["ignore", "ignore", process.env.SHOP_LOG ? "inherit" : "ignore"],
  });
  for (let tries = 0; (await ask(`${url}/health/ready`)).status !== 200; tries += 1) {
    if (tries > 500) throw new Error("the shop does not start");
    await pause(20);
  }
  return { shop, url };
}

/** Starts a payment at the gateway that never answers. */
async function startAttempt(url) {
  const { uuid, token } = await quote(url);
  const body = { payment_frequency: "annual", terms_and_conditions: true };
  await call(url, "POST", `/api/v1/quote/update-accept/${uuid}`, { body, token });
  const started = call(url, "POST", "/api/v1/gateway/globalpayments/initiate", { body: { uuid }, token });
  return { answer: started.then(({ status }) => status, () => 0) };
}

/** Returns the median time of the purchases, in milliseconds. */
async function turn(hasAttempts) {
  const data = mkdtempSync(join(tmpdir(), "layby-hanging-"));
  const { shop, url } = await start(data);
  try {
    const attempts = [];
    for (let number = 0; hasAttempts && number < ATTEMPTS; number += 1) attempts.push(await startAttempt(url));
    const times = [];
    for (let number = 0; number < PURCHASES; number += 1) {
      if (hasAttempts && number === PURCHASES / 2) await pause(JOBS_ASK_MS);
      const visitor = await quote(url);
      const begin = performance.now();
      if (!(await buy(url, visitor))) throw new Error("a purchase failed");
      times.push(performance.now() - begin);
    }
    const statuses = await Promise.all(attempts.map(({ answer }) => answer));
    if (statuses.some((status) => status === 200)) throw new Error("the gateway answered");
    return median(times);
  } finally {
    shop.kill("SIGKILL");
    for (const socket of sockets) socket.destroy();
    rmSync(data, { recursive: true, force: true });
  }
}

function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

const ratios = [];
for (let round = 0; round < Number(rounds); round += 1) {
  const alone = await turn(false);
  const beside = await turn(true);
  ratios.push(beside / alone);
  console.log(`alone ${alone.toFixed(1)} ms, beside ${ATTEMPTS} attempts ${beside.toFixed(1)} ms`);
}
const ratio = median(ratios);
console.log(`${ratio <= SLOWEST ? "ok" : "NOT OK"}: the median ratio is ${ratio.toFixed(3)}`);
gateway.close();
process.exit(ratio <= SLOWEST ? 0 : 1);
