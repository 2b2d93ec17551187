// Visitors of a shop, for the scripts that are run by hand. They make quotes and buy.
import { createServer } from "node:net";

/** Returns a free port of this machine. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits some milliseconds. */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes a simple call. Returns the status 0 if no server responds. */
export async function ask(url) {
  try {
    const answer = await fetch(url);
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: "" };
  }
}

const product = {
  product_identifier: "breakdown",
  values: {
    title: 2, first_name: "Ann", last_name: "Other", date_of_birth: "03.04.1980",
    email_primary: "ann@example.org", tel_primary: "07400 123456",
    address_primary: "1 High Street\nLeeds", postcode_primary: "ls6 1ab",
    cover_type: 2, cover_level: 3, excess: 2, start_date: inDays(4),
  },
  multi: {
    vehicles: [
      { vehicle_type: 1, vehicle_registration: "ab12 cde", vehicle_registration_date: "01.03.2012" },
    ],
  },
};

/** Returns a day in the shop's format. */
function inDays(days) {
  const [date] = new Date(Date.now() + days * 86_400_000).toISOString().split("T");
  return date.split("-").reverse().join(".");
}

/** Makes a call. Returns its status and JSON. Throws an error if the shop is gone. */
export async function call(url, method, path, { body, token, type = "application/json" } = {}) {
  const headers = {};
  if (body !== undefined) headers["content-type"] = type;
  if (token) headers.authorization = `Bearer ${token}`;
  const sent = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
  const answer = await fetch(`${url}${path}`, { method, headers, body: sent });
  const text = await answer.text();
  const json = answer.headers.get("content-type")?.startsWith("application/json");
  return { status: answer.status, data: json ? JSON.parse(text).data : undefined };
}

/** Returns an acknowledged quote, or undefined after a refusal. */
export async function quote(url) {
  const made = await call(url, "POST", "/api/v2/public/quote/breakdown", { body: { product } });
  return made.status === 201 ? { uuid: made.data.uuid, token: made.data.consumer_token } : undefined;
}

/** Buys a quote. Returns whether its policy was acknowledged. */
export async function buy(url, { uuid, token }) {
  const terms = { payment_frequency: "annual", terms_and_conditions: true };
  await call(url, "POST", `/api/v1/quote/update-accept/${uuid}`, { body: terms, token });
  const started = await call(url, "POST", "/api/v1/gateway/sandbox/initiate", { body: { uuid }, token });
  if (started.status !== 200) return false;
  const card = "card_number=4242424242424242&expiry=12%2F40&cvc=123&cardholder=Ann";
  await call(url, "POST", started.data.url, { body: card, type: "application/x-www-form-urlencoded" });
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await call(url, "GET", `/api/v2/policy/read/${uuid}`, { token })).status === 200) return true;
    await pause(20);
  }
  return false;
}
