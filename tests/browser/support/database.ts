import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test as base } from './test.ts';

/** A PostgreSQL server for the tests, or the reason why there is none. */
export class Database {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
    readonly reason: string,
  ) {}

  static async start(): Promise<Database> {
    const script = resolve(import.meta.dirname, '../../postgres');
    const child = spawn(script, [], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const isRunning = line.startsWith('postgres://');
    return new Database(child, isRunning ? line : '', isRunning ? '' : line);
  }

  async stop(): Promise<void> {
    const ended = this.process.exitCode === null ? once(this.process, 'exit') : null;
    this.process.stdin?.end();
    await ended;
  }
}

interface WorkerFixtures {
  database: Database;
  /** The folder for the documents of shops with a database. */
  documents: string;
}

/** A new database. */
export const test = base.extend<object, WorkerFixtures>({
  database: [
    async ({}, use) => {
      const database = await Database.start();
      await use(database);
      await database.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  documents: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'layby-documents-'));
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});
