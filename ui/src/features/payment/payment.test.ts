import { describe, expect, test, vi } from 'vitest';
import type { Payment, PaymentStarted, QuoteInfo } from '../../api/types';
import { planOf } from '../../testing/data';
import { parseFrameMessage } from './gateway/frameMessages';
import { addressOf } from './gateway/GatewayRedirect';
import { gatewayOf, gatewayToUse } from './gateway/gateways';
import { payability } from './pay/payability';
import { chargeText } from './result/FailureScreen';
import { backoff, destination, isOpen, retryRead } from './result/usePaymentStatus';

const NOW = new Date('2026-11-21T12:00:00Z');

function quote(change: Partial<QuoteInfo> = {}): QuoteInfo {
  return {
    uuid: 'q1',
    product_identifier: 'breakdown',
    product_title: 'Breakdown cover',
    product_short_title: 'Breakdown',
    custom_id: 'BD1',
    quotePolicyID: 'BD1',
    status_id: 1,
    status_title: 'Quote',
    reason: null,
    holder_name: '',
    dates: {
      created: '2026-11-20T12:00:00Z',
      inception: '2026-11-22',
      expiry: '2027-11-21',
      quote_expiry: '2026-12-20T12:00:00Z',
      cover_begins: null,
    },
    revision_id: 1,
    price: {
      amount_total: 10,
      amount_net: 9,
      amount_tax: 1,
      currency: 'GBP',
      per: 'year',
      basis: 'term',
      lines: [],
    },
    flags: { buyable: true, accepted: true, renewal_quote: false, policy: false },
    aggregator: null,
    account: 'unclaimed',
    source_tracking: {},
    notices: [],
    consumer_token: null,
    summary: [],
    ...change,
  };
}

function payment(change: Partial<Payment> = {}): Payment {
  return {
    payment_id: 'p1',
    status: 'pending',
    amount: 10,
    quote_uuid: 'q1',
    policy_uuid: null,
    adjustment_uuid: null,
    pays_plan: false,
    custom_id: 'BD1',
    message: null,
    charged: null,
    unresolved: null,
    reversed: false,
    refund: 'none',
    refund_reason: null,
    policy: false,
    ...change,
  };
}

describe("why a quote can't be paid", () => {
  const flags = quote().flags;

  test.each([
    ['ready', {}],
    ['bought', { flags: { ...flags, policy: true } }],
    ['bought', { status_id: 5 }],
    ['refused', { status_id: 31 }],
    ['refused', { status_id: 7 }],
    ['refused', { status_id: 14 }],
    ['expired', { status_id: 32 }],
    ['expired', { dates: { ...quote().dates, quote_expiry: '2026-11-21T11:59:59Z' } }],
    ['incomplete', { flags: { ...flags, buyable: false } }],
    ['incomplete', { price: null }],
    ['unaccepted', { flags: { ...flags, accepted: false } }],
  ] as const)('%s', (expected, change) => {
    const read = { info: quote(change), plan: null, payment_frequency: 'annual' } as const;
    expect(payability(read, NOW)).toBe(expected);
  });

  test('a monthly payment needs a plan', () => {
    const read = { info: quote(), payment_frequency: 'monthly' } as const;
    expect(payability({ ...read, plan: null }, NOW)).toBe('unaccepted');
    expect(payability({ ...read, plan: planOf(48.16, '2026-11-23') }, NOW)).toBe('ready');
  });
});

describe('where an attempt leads', () => {
  test('only an ended attempt leads to another page', () => {
    expect(destination(null)).toBeNull();
    expect(destination(payment())).toBeNull();
    expect(destination(payment({ status: 'processing' }))).toBeNull();
    expect(destination(payment({ status: 'paid' }))).toBeNull();
    expect(destination(payment({ status: 'paid', policy: true }))).toBe('/payment/success/q1');
    expect(destination(payment({ status: 'failed' }))).toBe('/payment/failure/q1');
    expect(destination(payment({ status: 'refunded' }))).toBe('/payment/failure/q1');
  });

  test('money without a policy is still open', () => {
    expect(isOpen(payment({ status: 'paid' }))).toBe(true);
    expect(isOpen(payment({ status: 'paid', policy: true }))).toBe(false);
    expect(isOpen(payment({ status: 'failed' }))).toBe(false);
    expect(isOpen(null)).toBe(false);
  });

  test('the pauses between checks grow up to a limit', () => {
    expect(backoff(0)).toBe(1000);
    expect(backoff(3)).toBeGreaterThan(backoff(2));
    expect(backoff(500)).toBe(10_000);
  });
});

test('no charge is only promised where it is known', () => {
  expect(chargeText(payment({ status: 'failed', charged: false }))).toBe(
    'No charge was made to your card.',
  );
  for (const charged of [null, true]) {
    expect(chargeText(payment({ status: 'failed', charged }))).not.toContain('No charge');
  }
});

test('money that bought nothing is said to be back only once it is', () => {
  const refundTextFor = (refund: Payment['refund']) =>
    chargeText(payment({ status: 'refunded', charged: true, refund }));
  expect(refundTextFor('paid')).toMatch(/bought nothing. Your payment was paid back to you/);
  expect(refundTextFor('pending')).toMatch(/is on its way back to the card that paid/);
  expect(refundTextFor('disputed')).toMatch(/deciding a dispute.*, and the refund waits for that/);
  expect(refundTextFor('disputed')).not.toContain('working days');
  expect(refundTextFor('refused')).toMatch(/could not be made, so we still owe it to you/);
  for (const refund of ['none', 'pending', 'disputed', 'refused'] as const) {
    expect(refundTextFor(refund)).not.toContain('was paid back');
  }
});

describe('the card frame', () => {
  const attempt: PaymentStarted = {
    payment_id: 'p1',
    kind: 'iframe',
    url: '/gateway/sandbox/pay/s',
    method: 'GET',
    fields: {},
    resumed: false,
    earlier_processing: false,
  };
  const frame = window;
  const message = (change: Partial<MessageEvent>) =>
    ({
      origin: window.location.origin,
      source: frame,
      data: { type: 'layby:payment', payment: 'p1' },
      ...change,
    }) as MessageEvent;
  const parse = (change: Partial<MessageEvent>, from = attempt, provider = 'sandbox') =>
    parseFrameMessage(message(change), from, provider, frame);

  test('only messages of this frame about this attempt are accepted', () => {
    expect(parse({})).toEqual({ kind: 'done', payment: 'p1' });
    expect(parse({ origin: 'https://evil.example' })).toBeNull();
    expect(parse({ source: null })).toBeNull();
    expect(parseFrameMessage(message({ source: null }), attempt, 'sandbox', null)).toBeNull();
    const other = { type: 'layby:payment', payment: 'p2' };
    const more = { type: 'layby:payment', payment: 'p1', height: 5 };
    const foreign = ['layby:payment', null, 7, [], {}, other, more, JSON.stringify(other)];
    for (const data of foreign) expect(parse({ data }), JSON.stringify(data)).toBeNull();
  });

  test("messages of another host's page count only from that host, and in its own words", () => {
    const external = { ...attempt, url: 'https://pay.example/page?id=1' };
    expect(parse({}, external)).toBeNull();
    expect(parse({ origin: 'https://pay.example.evil.example' }, external)).toBeNull();
    expect(parse({ origin: 'https://pay.example' }, external)).not.toBeNull();
    for (const provider of ['globalpayments', 'toString', '']) {
      expect(parse({ origin: 'https://pay.example' }, external, provider), provider).toBeNull();
    }
    expect(parse({ origin: 'null' }, { ...attempt, url: 'http://[' })).toBeNull();
  });

  test('its height is taken from its message, within limits', () => {
    const height = (value: unknown) => parse({ data: { type: 'layby:height', height: value } });
    expect(height(480.2)).toEqual({ kind: 'height', height: 481 });
    for (const value of [0, -1, 1e9, Number.NaN, '480', null]) expect(height(value)).toBeNull();
    const data = { type: 'layby:height', height: 480 };
    expect(parse({ origin: 'https://evil.example', data })).toBeNull();
  });
});

describe('the gateway to pay with', () => {
  test.each([
    [['stripe'], null, 'stripe'],
    [['stripe'], 'globalpayments', 'stripe'],
    [['stripe', 'globalpayments'], null, null],
    [['stripe', 'globalpayments'], 'globalpayments', 'globalpayments'],
    [['stripe', 'globalpayments'], 'sandbox', null],
    [[], 'stripe', null],
  ])('of %j, asked for %s, is %s', (offered, named, expected) => {
    expect(gatewayToUse(offered, named)).toBe(expected);
  });

  test('has a name for customers, also one that this website does not know yet', () => {
    expect(gatewayOf('globalpayments').name).toBe('Global Payments');
    expect(gatewayOf('toString').handles).toBe(
      'Your card is handled by toString. We never see its number.',
    );
  });

  test('a page that is asked for keeps its query, and gets its fields', () => {
    const page = {
      payment_id: 'p1',
      kind: 'redirect',
      method: 'GET',
      resumed: false,
      earlier_processing: false,
    } as const;
    const url = 'https://pay.example/c/pay/cs_1?key=a%20b#part';
    expect(addressOf({ ...page, url, fields: {} })).toBe(url);
    expect(addressOf({ ...page, url, fields: { to: 'x&y' } })).toBe(
      'https://pay.example/c/pay/cs_1?key=a+b&to=x%26y#part',
    );
  });
});

test('after many failures the next try comes no later than after the first', () => {
  vi.useFakeTimers();
  const ask = vi.fn();
  retryRead?.(new Error('down'), 'key', {} as never, ask, { retryCount: 30, dedupe: true });
  vi.advanceTimersByTime(3000);
  vi.useRealTimers();
  expect(ask).toHaveBeenCalledExactlyOnceWith({ retryCount: 30, dedupe: true });
});
