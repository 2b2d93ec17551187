// Checks the shop's requests to Global Payments, and the double of the tests, by the provider's reference,
// Python's hashlib and the provider's library for Node:
//
//     node tests/globalpayments/run.mjs path/to/globalpayments-double
//
// It needs Python 3.10, and the packages of `npm --prefix tests/globalpayments ci`. It exits with 1 at the first mistake.

import { join, resolve } from "node:path";

import { run } from "../python.mjs";

const here = import.meta.dirname;
const double = resolve(process.argv[2] ?? "target/debug/examples/globalpayments-double");

const fixtures = join(here, "../fixtures/globalpayments");

try {
  run("python3", ["-B", join(here, "judge.py"), double, fixtures]);
  run(process.execPath, [join(here, "library.mjs"), double, fixtures]);
} catch (error) {
  console.error(String(error.message));
  process.exitCode = 1;
}
