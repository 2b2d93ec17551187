import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Locator, type Page } from '@playwright/test';

const run = promisify(execFile);

/** Passes a document as a temporary file. */
async function withFile<T>(pdf: Buffer, work: (file: string) => Promise<T>): Promise<T> {
  expect(pdf.subarray(0, 5).toString(), 'it is a PDF').toBe('%PDF-');
  const folder = await mkdtemp(join(tmpdir(), 'layby-pdf-'));
  try {
    const file = join(folder, 'document.pdf');
    await writeFile(file, pdf);
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the text of a document, in one line. */
export async function textOf(pdf: Buffer): Promise<string> {
  return withFile(pdf, async (file) => {
    const { stdout } = await run('pdftotext', ['-layout', file, '-']);
    return stdout.replace(/\s+/g, ' ');
  });
}


/** Returns the first page as an image. */
export async function firstPage(pdf: Buffer): Promise<Buffer> {
  return withFile(pdf, async (file) => {
    const picture = file.replace(/\.pdf$/, '');
    await run('pdftoppm', ['-png', '-r', '60', '-singlefile', file, picture]);
    return readFile(`${picture}.png`);
  });
}

/**
 * Draws a picture in the page's browser. Returns the share of the dark pixels, from 0 to 1.
 */
export async function inkOf(page: Page, picture: Buffer): Promise<number> {
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const drawn = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(drawn.width, drawn.height).getContext('2d');
    if (!context) return 0;
    context.drawImage(drawn, 0, 0);
    const pixels = context.getImageData(0, 0, drawn.width, drawn.height).data;
    let dark = 0;
    for (let index = 0; index < pixels.length; index += 4) if ((pixels[index + 1] ?? 255) < 160) dark += 1;
    return dark / (pixels.length / 4);
  }, picture.toString('base64'));
}

/** Fetches the target of a page's link, with the page's session. */
export async function follow(page: Page, link: Locator): Promise<Buffer> {
  const address = (await link.getAttribute('href')) ?? '';
  const answer = await page.request.get(address);
  expect(answer.status(), address).toBe(200);
  expect(answer.headers()['content-type']).toBe('application/pdf');
  return answer.body();
}

/** Returns the download of a link, and the file's name. */
export async function download(page: Page, link: Locator): Promise<{ name: string; pdf: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  return { name: file.suggestedFilename(), pdf: await readFile(await file.path()) };
}
