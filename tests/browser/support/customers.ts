import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { Calls, type Product, type Quote } from './calls.ts';
import type { Mailbox } from './mailbox.ts';
import { CARDS } from './people.ts';

export interface Customer {
  email: string;
  password: string;
}

/** A quote with other answers, perhaps bought with a card. */
interface Wanted extends Product {
  isPaid?: boolean;
  /** Whether the policy renews automatically. */
  autoRenew?: boolean;
  /** Whether the policy is paid monthly. */
  isMonthly?: boolean;
  card?: string;
}

/** The pages that letters link to. */
export const LINKS = {
  resume: '#resume=',
  password: '/reset-password?aid=',
  confirm: '/confirm-email#',
} as const;

let addressCount = 0;

/** Returns a new mail address. */
export function newAddress(name = 'ann'): string {
  addressCount += 1;
  return `${name}.${process.pid}.${addressCount}@example.org`;
}

/** Customers with their own accounts, for tests that change them. */
export class Customers {
  constructor(
    private readonly request: APIRequestContext,
    private readonly origin: string,
    private readonly mailbox: Mailbox,
  ) {}

  /** Makes a customer. The letter about a visitor's quote, perhaps bought, leads to the password. */
  async create({
    isPaid = false,
    autoRenew = false,
    isMonthly = false,
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
    if (isPaid) await calls.payFor(quote, card, autoRenew, isMonthly ? 'monthly' : 'annual');
    const link = new URL(await this.mailbox.link(email, LINKS.password));
    const set = await this.request.post(`/api/v1/password/${link.searchParams.get('aid')}/reset`, {
      data: { issue: 0, password, password_rpt: password },
    });
    expect(set.ok(), await set.text()).toBe(true);
    return { email, password, quote };
  }

  /** Logs a page's browser in by a call. */
  async logIn(page: Page, { email, password }: Customer): Promise<Calls> {
    const answer = await page.request.post('/api/login', {
      headers: { Origin: this.origin },
      data: { username: email, password, remember: true },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    return new Calls(page.request, this.origin);
  }
}
