// An ordinary server of prices: Fastify with two workers. It parses the body, checks its shape, and returns
// layby's response. It rates no price. `cargo bench --bench peer` starts it.
//
//     node server.mjs ANSWER
//
// ANSWER is a file with layby's response.
import cluster from "node:cluster";
import { readFileSync } from "node:fs";

import Fastify from "fastify";

const WORKERS = 2;

const body = {
  type: "object",
  required: ["product_identifier", "quote_ready", "product"],
  properties: {
    product_identifier: { type: "string" },
    quote_ready: { type: "boolean" },
    product: {
      type: "object",
      required: ["product_identifier", "values", "multi"],
      properties: {
        product_identifier: { type: "string" },
        values: { type: "object" },
        multi: { type: "object" },
      },
    },
  },
};

async function serve() {
  const answer = readFileSync(process.argv[2]);
  const app = Fastify({ logger: false });
  app.post("/api/v1/price", { schema: { body } }, async (_request, reply) => {
    reply.type("application/json; charset=utf-8");
    return answer;
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
}

if (cluster.isPrimary) {
  let listening = 0;
  cluster.on("listening", (_worker, { address, port }) => {
    listening += 1;
    if (listening === WORKERS) console.log(`listening on http://${address}:${port}`);
  });
  for (let worker = 0; worker < WORKERS; worker += 1) cluster.fork();
} else {
  await serve();
}
