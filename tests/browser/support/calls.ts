import { type APIRequestContext, type APIResponse, expect, type Page } from '@playwright/test';
import { wire } from './dates.ts';
import { ANN } from './people.ts';

export interface Quote {
  uuid: string;
  customId: string;
  token: string;
  revision: number;
}

type Values = Record<string, string | number | boolean | null>;

export interface Product {
  values?: Values;
  vehicles?: Values[];
}

const PERSONAL: Values = {
  cover_type: 1,
  cover_level: 3,
  cover_length: 1,
  excess: 2,
  title: 2,
  first_name: ANN.first,
  last_name: ANN.last,
  date_of_birth: '27.03.1984',
  email_primary: ANN.email,
  tel_primary: ANN.telephone,
  address_primary: ANN.address,
  postcode_primary: ANN.postcode,
  motor_legal_protection: false,
  key_cover: false,
  marketing_contact: false,
};

async function dataOf(response: APIResponse): Promise<Record<string, unknown>> {
  expect(response.ok(), `${response.url()} answered ${await response.text()}`).toBe(true);
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

/** The shop's API, for the preparation of a test. */
export class Calls {
  /** With a page's request context, the calls have its login. */
  constructor(
    private readonly request: APIRequestContext,
    private readonly origin: string,
  ) {}

  private serialized({ values = {}, vehicles = [] }: Product) {
    return {
      product_identifier: 'breakdown',
      values: { ...PERSONAL, start_date: wire(1), ...values },
      multi: { vehicles, persons: [], trips: [] },
    };
  }

  /** Saves a quote for national personal cover, or for the given answers. */
  async createQuote(product: Product = {}): Promise<Quote> {
    const data = await dataOf(
      await this.request.post('/api/v2/public/quote/breakdown', {
        headers: { Origin: this.origin },
        data: { product: this.serialized(product) },
      }),
    );
    return {
      uuid: String(data.uuid),
      customId: String(data.custom_id),
      token: String(data.consumer_token),
      revision: Number(data.revision_id),
    };
  }

  /** Saves a change, as another browser of the same customer would. */
  async updateQuote(quote: Quote, product: Product): Promise<void> {
    await this.answerTo(quote, 'PUT', `/api/v1/quote/${quote.uuid}`, {
      product: this.serialized(product),
      revision_id: quote.revision,
    });
  }

  async accept(
    quote: Quote,
    autoRenew = false,
    frequency: 'annual' | 'monthly' = 'annual',
  ): Promise<void> {
    await this.answerTo(quote, 'POST', `/api/v1/quote/update-accept/${quote.uuid}`, {
      payment_frequency: frequency,
      terms_and_conditions: true,
      auto_renew: autoRenew,
    });
  }

  /** Accepts a quote and pays for it with a card. */
  async payFor(
    quote: Quote,
    card: string,
    autoRenew = false,
    frequency: 'annual' | 'monthly' = 'annual',
  ): Promise<void> {
    await this.accept(quote, autoRenew, frequency);
    const started = await this.answerTo(quote, 'POST', '/api/v1/gateway/sandbox/initiate', {
      uuid: quote.uuid,
    });
    const form = { cardholder: ANN.first, card_number: card, expiry: '12/39', cvc: '123' };
    expect((await this.request.post(String(started.url), { form })).ok()).toBe(true);
    await expect
      .poll(async () => (await this.answerTo(quote, 'GET', `/api/v1/payment/${quote.uuid}`)).status)
      .toMatch(/^(paid|failed)$/);
  }

  /** Tries to add a quote or policy to the caller's account. Returns the status. */
  async adopt({ uuid, token }: Quote): Promise<number> {
    const headers = { Origin: this.origin, Authorization: `Bearer ${token}` };
    const answer = await this.request.post(`/api/v1/quote/${uuid}/adopt`, { headers });
    return answer.status();
  }

  private async answerTo(quote: Quote, method: string, path: string, data?: object) {
    const headers = { Authorization: `Bearer ${quote.token}` };
    return dataOf(await this.request.fetch(path, { method, headers, data }));
  }
}

/** Gives a page's browser the token of a quote. A document without an origin has no storage. */
export async function bringAlong(page: Page, quote: Quote): Promise<void> {
  await page.addInitScript(
    ([uuid, token]) => {
      const stored = JSON.stringify({ token, at: new Date().toISOString() });
      if (window.origin !== 'null') localStorage.setItem(`layby.token.${uuid}`, stored);
    },
    [quote.uuid, quote.token] as const,
  );
}
