// Runs the shop with its documents in a bucket of moto. moto is another project's double of Amazon S3, and
// verifies signatures. Amazon's own library checks the bucket's content:
//
//     node tests/s3/run.mjs path/to/layby
//
// It needs Python 3.10 with venv. It installs its packages in tests/s3/.venv. It exits with 1 at the first
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
