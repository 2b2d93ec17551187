// Checks the shop's forms and REST calls for Smartpay Fuse, and the double of the tests, with libraries of
// others: django-oscar-cybersource signs and verifies forms, PyJWT reads tokens, and Cybersource's own library
// knows the members of REST bodies, encrypts them and reads encrypted answers:
//
//     node tests/smartpayfuse/run.mjs path/to/smartpayfuse-double
//
// It needs Python 3.10 with venv. It installs its packages in tests/smartpayfuse/.venv. It exits with 1 at
// the first mistake.

import { join, resolve } from "node:path";

import { install, run } from "../python.mjs";

const here = import.meta.dirname;
const double = resolve(process.argv[2] ?? "target/debug/examples/smartpayfuse-double");

try {
  // The list is whole, except for Django, of which the judge needs one name.
  const python = join(install(here, "--no-deps"), "python");
  run(python, ["-B", join(here, "judge.py"), double, join(here, "../fixtures/smartpayfuse")]);
} catch (error) {
  console.error(String(error.message));
  process.exitCode = 1;
}
