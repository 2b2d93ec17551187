import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';

/** The letters that the shop sent: a file each, named by its time. */
export class Mailbox {
  constructor(private readonly folder: string) {}

  /** The letters to an address, the newest first. */
  async letters(to: string): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    const newest = names
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .reverse();
    const letters = await Promise.all(
      newest.map((name) => readFile(join(this.folder, name), 'utf8')),
    );
    return letters.filter((letter) => new RegExp(`^To: <?${to}>?\\r?$`, 'm').test(letter));
  }

  /** The newest letter to an address about something, once it has come. */
  async letter(to: string, subject: RegExp): Promise<string> {
    return this.wait(to, (letter) => {
      const own = /^Subject: (.*?)\r?$/m.exec(letter)?.[1] ?? '';
      return subject.test(own) ? letter : null;
    });
  }

  /** The newest link to a page in a letter to an address, once it has come. */
  async link(to: string, page: string): Promise<string> {
    return this.wait(to, (letter) => {
      const links = [...letter.matchAll(/^(http:\S+?)\r?$/gm)].map((match) => match[1] ?? '');
      return links.find((link) => link.includes(page)) ?? null;
    });
  }

  private async wait(to: string, read: (letter: string) => string | null): Promise<string> {
    let found: string | null = null;
    const look = async () => {
      for (const letter of await this.letters(to)) found ??= read(letter);
      return found !== null;
    };
    await expect.poll(look, { intervals: [20, 50, 100], message: `a letter to ${to}` }).toBe(true);
    return found ?? '';
  }
}
