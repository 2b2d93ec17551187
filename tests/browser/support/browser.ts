import type { BrowserContext, ConsoleMessage } from '@playwright/test';

/** Expected refusals, which the browser logs to its console. */
const EXPECTED = [
  /status of 401 .* \/api\/v1\/profile$/,
  // A look-up without a result is no fault of the page.
  /status of (404|429|503) .* \/api\/v1\/lookup\/(vehicle|address)$/,
  // A price that can't be paid monthly is no fault of the page.
  /status of 422 .* \/api\/v1\/monthly-price$/,
];

/**
 * Collects the errors of all pages: console errors, exceptions and violations of the
 * Content-Security-Policy.
 */
export class Complaints {
  private readonly complaints: string[] = [];
  private readonly tolerated = [...EXPECTED];

  listenTo(context: BrowserContext): void {
    context.on('console', (message) => this.record(message));
    context.on('weberror', (error) => {
      this.complaints.push(`thrown: ${error.error().stack ?? error.error().message}`);
    });
  }

  /** Accepts an expected refusal, which the browser logs. */
  tolerate(pattern: RegExp): void {
    this.tolerated.push(pattern);
  }

  get left(): string[] {
    return this.complaints.filter((text) => !this.tolerated.some((pattern) => pattern.test(text)));
  }

  private record(message: ConsoleMessage): void {
    const policy = /content security policy/i.test(message.text());
    if (message.type() !== 'error' && !policy) return;
    const { pathname, search } = new URL(message.location().url || 'about:blank');
    this.complaints.push(`${message.text()} ${pathname}${search}`);
  }
}
