import type { BrowserContext, ConsoleMessage } from '@playwright/test';

/** What a visitor gets in the course of things; the browser writes every refusal to its console. */
const EXPECTED = [
  /status of 401 .* \/api\/v1\/profile$/,
  // A look-up that finds nothing is no fault of the page's.
  /status of (404|429|503) .* \/api\/v1\/lookup\/(vehicle|address)$/,
];

/**
 * Gathers everything that goes wrong in any page of a browser: errors written to the console,
 * what a script threw, and whatever the Content-Security-Policy refused.
 */
export class Complaints {
  private readonly heard: string[] = [];
  private readonly tolerated = [...EXPECTED];

  listenTo(context: BrowserContext): void {
    context.on('console', (message) => this.hear(message));
    context.on('weberror', (error) => {
      this.heard.push(`thrown: ${error.error().stack ?? error.error().message}`);
    });
  }

  /** For a story in which something is refused: the browser says so by itself. */
  tolerate(pattern: RegExp): void {
    this.tolerated.push(pattern);
  }

  get left(): string[] {
    return this.heard.filter((text) => !this.tolerated.some((pattern) => pattern.test(text)));
  }

  private hear(message: ConsoleMessage): void {
    const policy = /content security policy/i.test(message.text());
    if (message.type() !== 'error' && !policy) return;
    const { pathname, search } = new URL(message.location().url || 'about:blank');
    this.heard.push(`${message.text()} ${pathname}${search}`);
  }
}
