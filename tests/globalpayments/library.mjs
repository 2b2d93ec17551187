// Global Payments' own library for Node judges our requests and the double:
//
// - our token, charge, refund and report requests are those that the library makes;
// - the library reads the double's answers and refusals.
//
// The library has no request for a hosted page (`/links`) and no check of a message.
//
//     node library.mjs path/to/globalpayments-double path/to/tests/fixtures/globalpayments

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import sdk from "globalpayments-api";

const APP = "app-double";
const KEY = "app-key-for-tests";

const [binary, fixtures] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(`${fixtures}/${name}`, "utf8"));
const ours = read("requests.json");
const find = (call) => ours.find((one) => new RegExp(`^${call}$`).test(one.call));
const sent = [];

// The library calls only port 443 with TLS. This sends its requests to the double.
sdk.GpApiConnector.prototype.sendRequest = async function (method, endpoint, _id, body, query) {
  const search = this.buildQueryString(query);
  const { "Content-Length": _length, ...headers } = this.headers;
  sent.push({ call: `${method} ${endpoint}`, query: query ?? {}, headers, body: body && JSON.parse(body) });
  const answer = await fetch(this.serviceUrl + endpoint + search, { method, headers, body: body || undefined });
  return { statusCode: answer.status, rawResponse: await answer.text(), headers: answer.headers };
};

function configure(address, appKey) {
  const config = new sdk.GpApiConfig();
  Object.assign(config, { appId: APP, appKey, country: "GB", channel: sdk.Channel.CardNotPresent });
  config.serviceUrl = address;
  sdk.ServicesContainer.configureService(config);
  return config;
}

function judgeToken() {
  const made = sent.shift();
  const our = find("POST /accesstoken");
  assert.deepEqual([made.call, made.headers["X-GP-Version"]], [our.call, our.version]);
  assert.deepEqual(Object.keys(made.body).sort(), Object.keys(our.body).sort());
  assert.equal(made.body.grant_type, our.body.grant_type);
  const digest = sdk.GpApiSessionInfo.generateSecret;
  assert.equal(our.body.secret, digest(our.body.nonce, KEY));
  for (const { nonce, secret } of read("signatures.json").tokens) assert.equal(secret, digest(nonce, KEY));
  // Both are a time to the millisecond.
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
  assert.match(our.body.nonce, form);
  assert.match(sdk.GpApiSessionInfo.generateNonce(), form);
}

/** Makes a page by our request, and pays on it. Returns our reference. */
async function pay(address, token) {
  const reference = crypto.randomUUID();
  const body = structuredClone(find("POST /links").body);
  body.reference = body.order.reference = reference;
  body.order.payment_method_configuration.storage_mode = "ON_SUCCESS";
  body.expiration_date = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, "");
  const headers = { Authorization: `Bearer ${token}`, "X-GP-Version": "2021-03-22", "Content-Type": "application/json" };
  const made = await fetch(`${address}/links`, { method: "POST", headers, body: JSON.stringify(body) });
  const page = await fetch((await made.json()).url);
  const paid = await fetch(page.url, { method: "POST", body: new URLSearchParams({ card: "4263970000005262" }) });
  assert.match(await paid.text(), /accepted/);
  return { reference, amount: (Number(body.order.amount) / 100).toFixed(2) };
}

/** Returns the token of the card that a payment keeps. */
async function keptCard(token, address, id) {
  const headers = { Authorization: `Bearer ${token}`, "X-GP-Version": "2021-03-22" };
  const read = await fetch(`${address}/transactions/${id}`, { headers });
  return (await read.json()).payment_method.id;
}

async function judgeReports({ reference, amount }) {
  const search = sdk.ReportingService.findTransactionsPaged(1, 100);
  const { result } = await search.where("referenceNumber", reference).execute();
  const made = sent.shift();
  const our = find("GET /transactions");
  assert.equal(made.call, our.call);
  for (const [name, value] of new URLSearchParams(our.query)) {
    assert.equal(String(made.query[name]), name === "reference" ? reference : value, name);
  }
  const [row] = result;
  assert.equal(result.length, 1);
  assert.deepEqual([row.transactionStatus, Number(row.amount).toFixed(2)], ["CAPTURED", amount]);
  assert.deepEqual([row.currency, row.referenceNumber, row.channel], ["GBP", reference, "CNP"]);
  const detail = await sdk.ReportingService.transactionDetail(row.transactionId).execute();
  assert.match(sent.shift().call, /^GET \/transactions\/TRN_\w+$/);
  assert.deepEqual([detail.transactionId, detail.transactionStatus], [row.transactionId, "CAPTURED"]);
  return row.transactionId;
}

async function judgeRefund(id) {
  const key = crypto.randomUUID();
  const refund = (amount, again) =>
    sdk.Transaction.fromId(id).refund(amount).withCurrency("GBP").withIdempotencyKey(again ?? key).execute();
  const done = await refund(10);
  const made = sent.shift();
  const our = find("POST /transactions/TRN_\\w+/refund");
  assert.equal(made.call, `POST /transactions/${id}/refund`);
  assert.deepEqual(made.body, our.body);
  assert.deepEqual([made.headers["x-gp-idempotency"], made.headers["X-GP-Version"]], [key, our.version]);
  assert.deepEqual([done.responseCode, done.responseMessage], ["SUCCESS", "CAPTURED"]);
  assert.ok(done.transactionId.startsWith("TRN_") && done.transactionId !== id);
  await refused(() => refund(10), "40039", `id=${done.transactionId}`);
  await refused(() => refund(100_000, crypto.randomUUID()), "40087", "");
}

/** Each charge of a stored card, for a renewal or an instalment, as the library makes it. */
async function judgeCharges(info, token) {
  const charges = ours.filter((one) => one.call === "POST /transactions");
  const models = new Set(charges.map((one) => one.body.stored_credential.model));
  assert.deepEqual(models, new Set(["RECURRING", "INSTALLMENT"]));
  let again;
  for (const { body } of charges) again = await judgeCharge(info, token, body);
  const card = new sdk.CreditCardData();
  card.token = token;
  await card.deleteToken();
  assert.equal(sent.shift().call, `DELETE /payment-methods/${token}`);
  await refused(() => again(crypto.randomUUID()), "40118", "Payment method");
}

/** Judges a charge. Returns a function that repeats it with another idempotency key. */
async function judgeCharge(info, token, our) {
  info.transactionProcessingAccountName = our.account_name;
  const card = new sdk.CreditCardData();
  card.token = token;
  card.readerPresent = true;
  const credential = new sdk.StoredCredential();
  credential.initiator = sdk.StoredCredentialInitiator.Merchant;
  credential.type = our.stored_credential.model;
  credential.sequence = our.stored_credential.sequence;
  credential.reason = our.stored_credential.reason;
  const reference = crypto.randomUUID();
  const [amount, key] = [(Number(our.amount) / 100).toFixed(2), crypto.randomUUID()];
  const charge = (again = key) =>
    card
      .charge(amount)
      .withCurrency("GBP")
      .withClientTransactionId(reference)
      .withDescription(our.description)
      .withStoredCredentials(credential)
      .withCardBrandStorage(sdk.StoredCredentialInitiator.Merchant, our.payment_method.card.brand_reference)
      .withIdempotencyKey(again)
      .execute();
  const done = await charge();
  const made = sent.shift();
  assert.equal(made.call, "POST /transactions");
  assert.equal(made.headers["x-gp-idempotency"], key);
  const body = JSON.parse(JSON.stringify(made.body, (_, value) => value ?? undefined));
  // The library adds the account's id.
  const { account_id: _id, ...theirs } = body;
  const ourBody = { ...our, reference, payment_method: { ...our.payment_method, id: token } };
  assert.deepEqual(theirs, ourBody);
  assert.deepEqual([done.responseCode, done.responseMessage], ["SUCCESS", "CAPTURED"]);
  await refused(charge, "40039", `id=${done.transactionId}`);
  return charge;
}

async function refused(call, code, text) {
  await assert.rejects(call, (error) => {
    assert.equal(error.responseCode, code, String(error));
    assert.ok(error.responseMessage.includes(text), String(error));
    return true;
  });
  sent.length = 0;
}

async function judge(address) {
  const config = configure(address, KEY);
  await sdk.ReportingService.findTransactionsPaged(1, 1).execute();
  judgeToken();
  sent.length = 0;
  const info = config.accessTokenInfo;
  assert.ok(info.merchantId && info.transactionProcessingAccountName, JSON.stringify(info));
  const id = await judgeReports(await pay(address, info.accessToken));
  await judgeRefund(id);
  await judgeCharges(info, await keptCard(info.accessToken, address, id));
  configure(address, "another");
  await refused(() => sdk.ReportingService.transactionDetail(id).execute(), "40004", "");
  console.log("Global Payments' library makes our token, report, charge and refund requests, and reads the double's answers");
}

const double = spawn(binary, ["--silent"], { stdio: ["pipe", "pipe", "inherit"] });
try {
  const [line] = await once(createInterface(double.stdout), "line");
  await judge(line.split(" ").at(-1));
} finally {
  double.stdin.end();
}
