// Has the shop keep its documents in a bucket of moto, a double of Amazon S3 that others wrote and that
// verifies signatures, and has Amazon's own library look at what is there:
//
//     node tests/s3/run.mjs path/to/layby
//
// It needs Python 3.10 with venv. What it installs is kept in tests/s3/.venv. It ends with 1 at the first
// mistake.

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const here = import.meta.dirname;
const layby = resolve(process.argv[2] ?? "target/debug/layby");

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}

/** Installs the versions of requirements.txt, unless they are there; answers where their programs are. */
function install() {
  const venv = join(here, ".venv");
  const wanted = join(here, "requirements.txt");
  const stamp = join(venv, "installed.txt");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== readFileSync(wanted, "utf8")) {
    run("python3", ["-m", "venv", "--clear", venv]);
    run(join(venv, "bin/pip"), ["install", "--quiet", "--requirement", wanted]);
    copyFileSync(wanted, stamp);
  }
  return join(venv, "bin");
}

try {
  const programs = install();
  run(join(programs, "python"), ["-B", join(here, "judge.py"), join(programs, "moto_server"), layby]);
} catch (error) {
  console.error(String(error.message));
  process.exitCode = 1;
}
