import { describe, expect, test, vi } from 'vitest';
import type { Payment, PaymentStarted, QuoteInfo } from '../../api/types';
import { isDone, saidHeight } from './CardFrame';
import { chargeText } from './FailureScreen';
import { payability } from './payability';
import { askAgain, backoff, destination, isOpen } from './usePaymentStatus';

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
    account: 'waits',
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
    custom_id: 'BD1',
    message: null,
    charged: null,
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
    expect(payability(quote(change), NOW)).toBe(expected);
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

describe('the card frame', () => {
  const attempt: PaymentStarted = {
    payment_id: 'p1',
    kind: 'iframe',
    url: '/gateway/sandbox/pay/s',
    method: 'GET',
    fields: {},
    resumed: false,
  };
  const frame = window;
  const message = (change: Partial<MessageEvent>) =>
    ({
      origin: window.location.origin,
      source: frame,
      data: { type: 'layby:payment', payment: 'p1' },
      ...change,
    }) as MessageEvent;

  test('only messages of this frame about this attempt are accepted', () => {
    expect(isDone(message({}), attempt, frame)).toBe(true);
    expect(isDone(message({ origin: 'https://evil.example' }), attempt, frame)).toBe(false);
    expect(isDone(message({ source: null }), attempt, frame)).toBe(false);
    expect(isDone(message({ data: 'layby:payment' }), attempt, frame)).toBe(false);
    expect(isDone(message({ data: null }), attempt, frame)).toBe(false);
    const other = { type: 'layby:payment', payment: 'p2' };
    expect(isDone(message({ data: other }), attempt, frame)).toBe(false);
  });

  test('its height is taken from its message, within limits', () => {
    const height = (value: unknown) =>
      saidHeight(message({ data: { type: 'layby:height', height: value } }), frame);
    expect(height(480.2)).toBe(481);
    for (const value of [0, -1, 1e9, Number.NaN, '480', null]) expect(height(value)).toBeNull();
    const foreign = { origin: 'https://evil.example', data: { type: 'layby:height', height: 480 } };
    expect(saidHeight(message(foreign), frame)).toBeNull();
    expect(saidHeight(message({}), frame)).toBeNull();
  });
});

test('after many failures the next try comes no later than after the first', () => {
  vi.useFakeTimers();
  const ask = vi.fn();
  askAgain?.(new Error('down'), 'key', {} as never, ask, { retryCount: 30, dedupe: true });
  vi.advanceTimersByTime(3000);
  vi.useRealTimers();
  expect(ask).toHaveBeenCalledExactlyOnceWith({ retryCount: 30, dedupe: true });
});
