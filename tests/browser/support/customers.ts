import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { Calls, type Product, type Quote } from './calls.ts';
import type { Mailbox } from './mailbox.ts';
import { CARDS } from './people.ts';

export interface Customer {
  email: string;
  password: string;
}

/** A quote with other answers than the usual ones, perhaps bought with a card. */
interface Wanted extends Product {
  paid?: boolean;
  /** Whether it was agreed before paying that the policy renews by itself. */
  autoRenew?: boolean;
  card?: string;
}

/** The pages that letters lead to. */
export const LINKS = {
  resume: '#resume=',
  password: '/reset-password?aid=',
  confirm: '/confirm-email#',
} as const;

let made = 0;

/** A mail address that nobody has used before. */
export function newAddress(name = 'ann'): string {
  made += 1;
  return `${name}.${process.pid}.${made}@example.org`;
}

/** People with an account of their own, for stories that change it. */
export class Customers {
  constructor(
    private readonly request: APIRequestContext,
    private readonly origin: string,
    private readonly mailbox: Mailbox,
  ) {}

  /** A visitor's quote, perhaps bought, whose letter led to a first password. */
  async create({
    paid = false,
    autoRenew = false,
    card = CARDS.paid as string,
    values = {},
    vehicles = [],
  }: Wanted = {}): Promise<Customer & { quote: Quote }> {
    const email = newAddress();
    const password = 'Layby-2026-ann';
    const calls = new Calls(this.request, this.origin);
    const quote = await calls.createQuote({
      values: { ...values, email_primary: email },
      vehicles,
    });
    if (paid) await calls.payFor(quote, card, autoRenew);
    const link = new URL(await this.mailbox.link(email, LINKS.password));
    const set = await this.request.post(`/api/v1/password/${link.searchParams.get('aid')}/reset`, {
      data: { issue: 0, password, password_rpt: password },
    });
    expect(set.ok(), await set.text()).toBe(true);
    return { email, password, quote };
  }

  /** Logs a page's browser in, where logging in is not what the story is about. */
  async logIn(page: Page, { email, password }: Customer): Promise<Calls> {
    const answer = await page.request.post('/api/login', {
      headers: { Origin: this.origin },
      data: { username: email, password, remember: true },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    // The trace that a login on the website itself leaves, without which it may not ask who is here.
    await page.addInitScript(() => {
      // A blank page has no storage.
      if (location.protocol !== 'about:') localStorage.setItem('layby.session', '"before"');
    });
    return new Calls(page.request, this.origin);
  }
}
