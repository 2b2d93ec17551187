// An ordinary server: Fastify, and the pg client with a pool of 16. It runs a READ COMMITTED transaction for
// each quote, which writes the same rows and bytes as layby. It does less: it checks only the shape of the
// body, rates no price, and sends all rows in one statement. `cargo bench --bench ordinary` starts it.
//
//     node server.mjs DATABASE SAMPLE
//
// DATABASE is a postgres:// address. SAMPLE is a JSON file with layby's data for one quote: its `uuid`, `email`
// and `reference`, its `rows` in hexadecimal, and layby's response as `answer`.
import { randomFillSync } from "node:crypto";
import { readFileSync } from "node:fs";

import Fastify from "fastify";
import pg from "pg";

const [database, file] = process.argv.slice(2);
const sample = JSON.parse(readFileSync(file, "utf8"));
const pool = new pg.Pool({ connectionString: database, max: 16 });
await pool.query(`CREATE TABLE rows (key bytea PRIMARY KEY, value bytea NOT NULL);
  CREATE SEQUENCE reference`);

/** Bytes, and where in them the quote's id and its mailbox stand. */
function template(bytes) {
  const places = (wanted) => {
    const found = [];
    for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) found.push(at);
    return found;
  };
  const [uuids, emails] = [places(Buffer.from(sample.uuid.replaceAll("-", ""), "hex")), places(sample.email)];
  return (uuid, email) => {
    const own = Buffer.from(bytes);
    for (const at of uuids) uuid.copy(own, at);
    for (const at of emails) own.write(email, at, "latin1");
    return own;
  };
}

const keys = sample.rows.map(({ key }) => template(Buffer.from(key, "hex")));
const values = sample.rows.map(({ value }) => template(Buffer.from(value, "hex")));

/** A version 7 id: the time, then chance, as layby's are. */
function newId() {
  const id = randomFillSync(Buffer.alloc(16));
  id.writeUIntBE(Date.now(), 0, 6);
  id[6] = 0x70 | (id[6] & 0x0f);
  id[8] = 0x80 | (id[8] & 0x3f);
  return id;
}

const REFERENCE = { name: "reference", text: "SELECT nextval('reference')" };
const INSERT = { name: "insert", text: "INSERT INTO rows SELECT * FROM unnest($1::bytea[], $2::bytea[])" };

const body = {
  type: "object",
  required: ["product"],
  properties: {
    product: {
      type: "object",
      required: ["product_identifier", "values", "multi"],
      properties: {
        product_identifier: { type: "string" },
        values: { type: "object", required: ["email_primary"], properties: { email_primary: { type: "string" } } },
        multi: { type: "object" },
      },
    },
  },
};

const app = Fastify({ logger: false });
app.post("/api/v2/public/quote/breakdown", { schema: { body } }, async (request, reply) => {
  const { email_primary: email } = request.body.product.values;
  const id = newId();
  const rows = [keys.map((key) => key(id, email)), values.map((value) => value(id, email))];
  const client = await pool.connect();
  let reference;
  try {
    await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
    reference = (await client.query(REFERENCE)).rows[0].nextval;
    await client.query({ ...INSERT, values: rows });
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
  const hex = id.toString("hex");
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  reply.code(201).type("application/json");
  // The reference replaces layby's, padded to the same number of bytes.
  const text = sample.answer.replaceAll(sample.uuid, uuid).replaceAll(sample.email, email);
  return text.replace(sample.reference, String(reference).padStart(sample.reference.length, "0"));
});
const address = await app.listen({ host: "127.0.0.1", port: 0 });
console.log(`listening on ${address}`);
