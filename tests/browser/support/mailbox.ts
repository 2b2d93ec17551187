import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';

/** The shop's letters: one file each, named by its time. */
export class Mailbox {
  constructor(private readonly folder: string) {}

  /** Returns the letters to an address, the newest first. */
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

  /** Waits for the newest letter to an address about a subject. */
  async letter(to: string, subject: RegExp): Promise<string> {
    return this.wait(to, (letter) => {
      const subjectLine = /^Subject: (.*?)\r?$/m.exec(letter)?.[1] ?? '';
      return subject.test(subjectLine) ? letter : null;
    });
  }

  /** Waits for the newest link to a page in a letter to an address. */
  async link(to: string, page: string): Promise<string> {
    return this.wait(to, (letter) => {
      const links = [...letter.matchAll(/^(http:\S+?)\r?$/gm)].map((match) => match[1] ?? '');
      return links.find((link) => link.includes(page)) ?? null;
    });
  }

  private async wait(to: string, read: (letter: string) => string | null): Promise<string> {
    let link: string | null = null;
    const look = async () => {
      for (const letter of await this.letters(to)) link ??= read(letter);
      return link !== null;
    };
    await expect.poll(look, { intervals: [20, 50, 100], message: `a letter to ${to}` }).toBe(true);
    return link ?? '';
  }
}
