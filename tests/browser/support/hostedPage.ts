import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { ANN, CARDS } from './people.ts';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function page(body: string): string {
  return `<!doctype html><html lang="en"><title>Pay Example</title><h1>Pay Example</h1>${body}</html>`;
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const part of request) text += String(part);
  return new URLSearchParams(text);
}

/**
 * A gateway's own page at an address of its own, shown in place of the shop's. Behind it is the
 * built-in gateway, so what became of a payment is the truth.
 */
export class HostedPage {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<HostedPage> {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://pay.example');
      const asked = Object.fromEntries(url.searchParams);
      const { at = '', back = '', cancel = '' } = asked;
      const answer = (status: number, body: string, location?: string) => {
        const headers = { 'Content-Type': 'text/html; charset=utf-8' };
        response.writeHead(status, location ? { ...headers, Location: location } : headers);
        response.end(page(body));
      };
      if (request.method !== 'POST') {
        const buttons = ['Pay', 'Decline'].map((name) => `<button name="${name}">${name}</button>`);
        return answer(
          200,
          `<form method="post">${buttons.join('')}</form><a href="${escaped(cancel)}">Cancel</a>`,
        );
      }
      void bodyOf(request)
        .then(async (form) => {
          const card_number = form.has('Pay') ? CARDS.paid : CARDS.declined;
          const card = { cardholder: ANN.first, card_number, expiry: '12/39', cvc: '123' };
          const taken = await fetch(at, { method: 'POST', body: new URLSearchParams(card) });
          answer(taken.ok ? 303 : 502, '', back);
        })
        .catch(() => answer(502, 'The gateway did not answer.'));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new HostedPage(server);
  }

  /** Another site than the shop's, which is at 127.0.0.1. */
  get address(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  /** From here on the shop's payments in this browser are made on this page. */
  async takeOver(browser: Pick<Page, 'route'>, shop: string): Promise<void> {
    await browser.route('**/api/v1/gateway/sandbox/initiate', async (route) => {
      const response = await route.fetch();
      if (!response.ok()) return route.fulfill({ response });
      const { data } = (await response.json()) as { data: { url: string } };
      const { uuid } = route.request().postDataJSON() as { uuid: string };
      const address = new URL('/pay', this.address);
      address.searchParams.set('at', `${shop}${data.url}`);
      address.searchParams.set('back', `${shop}/gateway/sandbox/return/${uuid}?session=1`);
      address.searchParams.set('cancel', `${shop}/gateway/sandbox/cancelled/${uuid}`);
      return route.fulfill({
        response,
        json: { data: { ...data, kind: 'redirect', method: 'GET', url: address.href } },
      });
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}
