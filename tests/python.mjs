// Runs the tests that are Python programs. Each folder with a requirements.txt gets its own environment. It
// needs Python 3.10 with venv.

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Runs a program. Throws an error if its exit status is not 0. */
export function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
}

/**
 * Installs the versions of a folder's requirements.txt in its .venv, unless they are there. Returns the
 * folder of their programs. `options` are pip's.
 */
export function install(folder, ...options) {
  const venv = join(folder, ".venv");
  const wanted = join(folder, "requirements.txt");
  const stamp = join(venv, "installed.txt");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== readFileSync(wanted, "utf8")) {
    run("python3", ["-m", "venv", "--clear", venv]);
    run(join(venv, "bin/pip"), ["install", "--quiet", ...options, "--requirement", wanted]);
    copyFileSync(wanted, stamp);
  }
  return join(venv, "bin");
}
