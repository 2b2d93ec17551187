// Checks the shop's Stripe requests, and the double of the tests, with Stripe's own library. Then the shop
// reads the webhooks of localstripe, another project's double:
//
//     node tests/stripe/run.mjs path/to/stripe-double path/to/layby
//
// It needs Python 3.10 with venv. It installs its packages in tests/stripe/.venv. It exits with 1 at the
// first mistake.

import { join, resolve } from "node:path";

import { install, run } from "../python.mjs";

const here = import.meta.dirname;
const double = resolve(process.argv[2] ?? "target/debug/examples/stripe-double");
const layby = resolve(process.argv[3] ?? "target/debug/layby");

try {
  const programs = install(here);
  const python = join(programs, "python");
  run(python, ["-B", join(here, "judge.py"), double, join(here, "../fixtures/stripe")]);
  run(python, ["-B", join(here, "localstripe.py"), join(programs, "localstripe"), layby]);
} catch (error) {
  console.error(String(error.message));
  process.exitCode = 1;
}
