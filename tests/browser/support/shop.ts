import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { now } from './clock.ts';

const STARTS_WITHIN_MS = 60_000;
const STOPS_WITHIN_MS = 15_000;

const MS_A_DAY = 86_400_000;

/**
 * Returns the settings of the shop under test: letters without delay, limits above the tests'
 * needs, and the tests' clock.
 */
function environment(daysAgo: number): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => !name.startsWith('LAYBY_'));
  return {
    ...Object.fromEntries(ours),
    LAYBY_MAIL__QUOTE_DELAY_SECONDS: '0',
    LAYBY_LIMITS__QUOTE_LETTERS_PER_CLIENT_PER_HOUR: '0',
    LAYBY_LIMITS__SAVES_PER_MINUTE: '0',
    LAYBY_LIMITS__TOTAL_SAVES_PER_HOUR: '0',
    LAYBY_LIMITS__PRICES_PER_MINUTE: '0',
    LAYBY_LIMITS__PAYMENT_PAGES_PER_HOUR: '0',
    LAYBY_LIMITS__PAYMENT_PAGES_PER_CLIENT: '0',
    LAYBY_LIMITS__FAILED_PAYMENTS_PER_CLIENT: '0',
    LAYBY_LIMITS__COVER_CHECKS_PER_CLIENT_PER_HOUR: '0',
    LAYBY_LIMITS__LOOKUPS_PER_CLIENT_PER_HOUR: '0',
    LAYBY_CLOCK: new Date(now() - daysAgo * MS_A_DAY).toISOString(),
  };
}

/** The real binary on its own data folder. */
export class Shop {
  private output = '';
  private complained = '';
  private isKilled = false;

  private constructor(
    private process: ChildProcess,
    private readonly folder: string,
    private readonly seeded: boolean,
  ) {
    this.listen();
  }

  /** `settings` is the content of an operator's file. */
  static async start(seeded: boolean, settings: string): Promise<Shop> {
    const folder = await mkdtemp(join(tmpdir(), 'layby-browser-'));
    await writeFile(join(folder, 'shop.toml'), settings);
    const child = Shop.spawn(folder, '127.0.0.1:0', seeded, 0);
    const shop = new Shop(child, folder, seeded);
    try {
      await shop.listening();
    } catch (error) {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
    return shop;
  }

  private static spawn(folder: string, listen: string, seeded: boolean, daysAgo: number) {
    const binary = process.env.SHOP_BINARY;
    if (!binary) throw new Error('SHOP_BINARY names no binary to test');
    const file = join(folder, 'shop.toml');
    const args = ['--config', file, 'serve', '--listen', listen, '--data', join(folder, 'data')];
    if (seeded) args.push('--seed');
    return spawn(resolve(binary), args, {
      cwd: folder,
      env: environment(daysAgo),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Deletes all data and restarts with a clock in the past, for tests of old purchases. */
  async openInThePast(daysAgo: number): Promise<void> {
    const { host } = new URL(this.address);
    await this.close();
    await rm(join(this.folder, 'data'), { recursive: true, force: true });
    await this.reopen(host, this.seeded, daysAgo);
  }

  /** Restarts without any data. */
  async openAnew(): Promise<void> {
    await this.openInThePast(0);
  }

  /** Closes a shop of the past and opens it today, with its data. */
  async openToday(): Promise<void> {
    const { host } = new URL(this.address);
    await this.close();
    await this.reopen(host, false, 0);
  }

  /** Returns the address in its output. */
  get address(): string {
    const address = /^listening on (http:\/\/\S+)$/m.exec(this.output)?.[1];
    if (!address) throw new Error('the shop did not say where it listens');
    return address;
  }

  /** Returns the accounts of a seeded shop, from its output. */
  get logins(): { password: string; addresses: string[] } {
    const password = /all with the password (\S+):$/m.exec(this.output)?.[1] ?? '';
    const addresses = [...this.output.matchAll(/^ {2}(\S+@\S+)$/gm)].map((match) => match[1] ?? '');
    return { password, addresses };
  }

  /** Returns the folder of its letters. */
  get mail(): string {
    return join(this.folder, 'data', 'mail');
  }

  /** Kills the process, as a power cut would. */
  async kill(): Promise<void> {
    this.isKilled = true;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private listen(): void {
    this.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
    });
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.complained = (this.complained + text).slice(-20_000);
    });
  }

  private async reopen(host: string, seeded: boolean, daysAgo: number): Promise<void> {
    this.output = '';
    this.process = Shop.spawn(this.folder, host, seeded, daysAgo);
    this.listen();
    await this.listening();
  }

  private async close(): Promise<void> {
    if (this.isKilled) return;
    const ended = this.process.exitCode === null ? once(this.process, 'exit') : null;
    this.process.kill('SIGTERM');
    const overdue = setTimeout(() => this.process.kill('SIGKILL'), STOPS_WITHIN_MS);
    await ended;
    clearTimeout(overdue);
    if (this.process.exitCode !== 0) {
      throw new Error(
        `the shop ended with ${this.process.exitCode ?? this.process.signalCode}:\n${this.complained}`,
      );
    }
  }

  private async listening(): Promise<void> {
    const listening = new Promise<void>((resolve) => {
      this.process.stdout?.on('data', () => {
        if (/^listening on http:\/\/\S+$/m.test(this.output)) resolve();
      });
    });
    const failed = new Promise<never>((_, fail) => {
      const failWith = (problem: string) => fail(new Error(`the shop ${problem}:\n${this.complained}`));
      this.process.once('error', (error) => failWith(`can't be started (${error.message})`));
      this.process.once('exit', (code) => failWith(`ended with ${code} before it listened`));
      setTimeout(() => failWith('is not listening yet'), STARTS_WITHIN_MS).unref();
    });
    failed.catch(() => undefined);
    await Promise.race([listening, failed]);
  }
}
