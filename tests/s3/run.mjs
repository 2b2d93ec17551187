// Has the shop keep its documents in a bucket of moto, a double of Amazon S3 that others wrote and that
// verifies signatures, and has Amazon's own library look at what is there:
//
//     node tests/s3/run.mjs path/to/layby
//
// It needs Python 3.10 with venv. What it installs is kept in tests/s3/.venv. It ends with 1 at the first
// mistake.

import { join, resolve } from "node:path";

import { install, run } from "../python.mjs";

const here = import.meta.dirname;
const layby = resolve(process.argv[2] ?? "target/debug/layby");

try {
  const programs = install(here);
  run(join(programs, "python"), ["-B", join(here, "judge.py"), join(programs, "moto_server"), layby]);
} catch (error) {
  console.error(String(error.message));
  process.exitCode = 1;
}
