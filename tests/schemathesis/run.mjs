// Calls every operation of the API in ways that Schemathesis generates from the API's document. The first run
// is anonymous. The second is a customer's, with the customer's own quotes and policies:
//
//     node tests/schemathesis/run.mjs path/to/layby
//
// It needs Python 3.10 with venv. It installs Schemathesis in tests/schemathesis/.venv. It exits with 1 if a
// response breaks the document, or if the calls take more than five minutes.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { install } from "../python.mjs";

const here = import.meta.dirname;
const binary = resolve(process.argv[2] ?? "target/debug/layby");
/**
 * Limit of both runs together, without installing and starting. schemathesis.toml sets the number of calls.
 */
const LIMIT_SECONDS = 300;
const work = mkdtempSync(join(tmpdir(), "layby-schemathesis-"));

/** Starts a shop with demonstration data. Returns its address and one of its customers. */
async function start() {
  const shop = spawn(binary, ["serve", "--listen", "127.0.0.1:0", "--seed"], {
    // One client makes all calls.
    env: {
      PATH: process.env.PATH,
      LAYBY_SERVER__DATA: join(work, "data"),
      LAYBY_LOG__LEVEL: "error",
      LAYBY_LIMITS__SAVES_PER_MINUTE: "0",
      LAYBY_LIMITS__TOTAL_SAVES_PER_HOUR: "0",
      LAYBY_LIMITS__PRICES_PER_MINUTE: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said = await new Promise((found, lost) => {
    let text = "";
    shop.stdout.on("data", (part) => {
      text += part;
      if (/listening on \S+\n/.test(text)) found(text);
    });
    shop.on("exit", () => lost(new Error("the shop stopped")));
  });
  return {
    shop,
    url: said.match(/listening on (\S+)/)[1],
    password: said.match(/all with the password (\S+):/)[1],
    customer: said.match(/^ {2}(\S+@\S+)$/m)[1],
  };
}

async function logIn({ url, customer, password }) {
  const answer = await fetch(`${url}/api/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: customer, password }),
  });
  if (!answer.ok) throw new Error(`the log-in was answered ${answer.status}`);
  const cookies = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
  return cookies.find((cookie) => cookie.startsWith("layby_session="));
}

/** Returns one quote or policy in each status that the customer has. */
async function ownedBy(cookie, url) {
  const answer = await fetch(`${url}/api/v2/policy/list?limit=100`, { headers: { Cookie: cookie } });
  const { data } = await answer.json();
  return [...new Map(data.map((one) => [one.status_id, one.policy_uuid])).values()];
}

/** Makes one run, which stops at the deadline. Returns the number of its calls. */
async function check(schemathesis, url, config, deadline, more) {
  const run = spawn(
    schemathesis,
    [
      ...["--config-file", config, "run", join(work, "openapi.json"), "--url", url, "--checks", "all"],
      ...["--no-color", ...more],
    ],
    { stdio: ["ignore", "pipe", "inherit"], cwd: work },
  );
  let late = false;
  const bound = setTimeout(
    () => {
      late = true;
      run.kill("SIGKILL");
    },
    Math.max(0, deadline - Date.now()),
  );
  let said = "";
  run.stdout.on("data", (part) => {
    process.stdout.write(part);
    said += part;
  });
  const [status] = await once(run, "close");
  clearTimeout(bound);
  if (late) throw new Error(`the calls took more than ${LIMIT_SECONDS} s`);
  if (status !== 0) throw new Error(`Schemathesis ended with ${status}`);
  return Number(said.match(/(\d+) generated/)[1]);
}

/** Returns the number of calls that read one of these quotes or policies. */
function reads(har, owned) {
  const { entries } = JSON.parse(readFileSync(har, "utf8")).log;
  const shown = ({ request, response }) =>
    request.method === "GET" && response.status === 200 && owned.some((id) => request.url.includes(id));
  return entries.filter(shown).length;
}

const schemathesis = join(install(here), "schemathesis");
const running = await start();
try {
  const { url, shop } = running;
  shop.removeAllListeners("exit");
  const document = await fetch(`${url}/api/openapi.json`);
  writeFileSync(join(work, "openapi.json"), await document.text());
  const rules = join(here, "schemathesis.toml");
  const began = Date.now();
  const deadline = began + LIMIT_SECONDS * 1000;
  console.log("--- as nobody");
  let calls = await check(schemathesis, url, rules, deadline, []);
  console.log("--- as a customer");
  const cookie = await logIn(running);
  const owned = await ownedBy(cookie, url);
  const known = [
    "[dictionaries.owned]",
    `values = ${JSON.stringify(owned)}`,
    "[parameters]",
    '"path.id" = { dictionary = "owned" }',
    '"path.product" = "breakdown"',
    '"path.identifier" = "breakdown"',
    '"path.provider" = "sandbox"',
  ];
  const inside = join(work, "customer.toml");
  writeFileSync(inside, `${readFileSync(rules, "utf8")}\n${known.join("\n")}\n`);
  const har = join(work, "customer.har");
  calls += await check(schemathesis, url, inside, deadline, [
    ...["--header", `Cookie: ${cookie}`, "--header", "Sec-Fetch-Site: same-origin"],
    // It would end the session that the other calls need.
    ...["--exclude-path", "/api/logout"],
    ...["--report", "har", "--report-har-path", har],
  ]);
  const reached = reads(har, owned);
  if (reached === 0) throw new Error("no call of the customer read what the customer has");
  const took = Math.round((Date.now() - began) / 1000);
  console.log(`--- ${calls} calls in ${took} s, of at most ${LIMIT_SECONDS} s: each was answered as the document says; ${reached} read a policy or quote of the customer's`);
} catch (error) {
  console.error(String(error.message));
  process.exitCode = 1;
} finally {
  running.shop.kill("SIGTERM");
  rmSync(work, { recursive: true, force: true });
}
