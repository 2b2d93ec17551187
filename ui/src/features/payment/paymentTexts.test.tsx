import { screen, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { forId } from '../../api/testing';
import { savedQuote, UUID } from '../../testing/data';
import { forgetAll, hold, RENEWAL, read, term } from '../../testing/policy';
import { serve, visit } from '../../testing/server';
import { PayScreen } from './pay/PayScreen';
import { SuccessScreen } from './result/SuccessScreen';

afterEach(forgetAll);

/** A purchase: its days, the text of its first moment, its price and its product. */
interface PurchaseCase {
  first: string;
  last: string;
  dates: string;
  begins: string;
  text: string;
  total: number;
  per: 'year' | 'trip';
  renews?: string;
  title?: string;
}

const PURCHASES: Record<string, PurchaseCase> = {
  'a first year': {
    first: '2026-11-25',
    last: '2027-11-24',
    dates: '25/11/2026 to 24/11/2027',
    begins: '2026-11-25T00:00:00Z',
    text: '00:00 on Wednesday 25 November 2026',
    total: 80.49,
    per: 'year',
  },
  'a renewed year, which is a leap year': {
    first: '2027-11-25',
    last: '2028-11-23',
    dates: '25/11/2027 to 23/11/2028',
    begins: '2027-11-25T00:00:00Z',
    text: '00:00 on Thursday 25 November 2027',
    total: 74.64,
    per: 'year',
    renews: RENEWAL,
  },
  'single trips': {
    first: '2026-12-01',
    last: '2026-12-12',
    dates: '01/12/2026 to 12/12/2026',
    begins: '2026-12-01T00:00:00Z',
    text: '00:00 on Tuesday 1 December 2026',
    total: 60.17,
    per: 'trip',
  },
  'gadget cover from the hour of the purchase': {
    first: '2026-11-21',
    last: '2027-11-20',
    dates: '21/11/2026 to 20/11/2027',
    begins: '2026-11-21T12:00:00Z',
    text: '12:00 on Saturday 21 November 2026',
    total: 163.5,
    per: 'year',
    title: 'Gadget cover',
  },
};

const info = ({ first, last, begins, total, per, title }: PurchaseCase) => ({
  product_title: title ?? 'Vehicle breakdown cover',
  dates: {
    created: '2026-11-21T12:00:00Z',
    inception: first,
    expiry: last,
    quote_expiry: null,
    cover_begins: begins,
  },
  price: {
    amount_total: total,
    amount_net: total,
    amount_tax: 0,
    currency: 'GBP',
    per,
    basis: 'term' as const,
    lines: [],
  },
});

const pounds = (amount: number) => `£${amount.toFixed(2)}`;

describe.each(Object.entries(PURCHASES))('%s', (_, purchase) => {
  test('is paid for with its days and its price', async () => {
    const flags = { buyable: true, accepted: true, renewal_quote: false, policy: false };
    serve({
      'GET /api/v2/public/quote/read/{id}': forId(UUID, () => ({
        data: savedQuote(UUID, 'BRK100000001', { ...info(purchase), flags }),
      })),
    });
    visit({ '/payment/:id': <PayScreen uuid={UUID} /> }, `/payment/${UUID}`);
    const card = await screen.findByRole('region', { name: 'What you are buying' });
    expect(within(card).getByText(purchase.dates)).toBeTruthy();
    if (purchase.title) expect(within(card).getByText(purchase.title)).toBeTruthy();
    expect(card.textContent).toContain(`To pay now${pounds(purchase.total)}`);
  });

  test('is set up with its first moment, its days and what was paid', async () => {
    const { first, last, begins, total, renews } = purchase;
    const policy = term({
      inception: first,
      expiry: last,
      cover_begins: begins,
      paid: total,
      renews: renews ?? null,
    });
    hold(() => read(policy, info(purchase)));
    visit({ '/payment/success/:id': <SuccessScreen uuid={UUID} /> }, `/payment/success/${UUID}`);
    await screen.findByRole('heading', { level: 1, name: 'Thank you. Your policy is set up' });
    const verb = new Date(begins) <= new Date() ? 'began' : 'begins';
    expect(screen.getByText(`Your cover ${verb} at ${purchase.text}.`)).toBeTruthy();
    const cover = screen.getByRole('region', { name: 'Your cover' });
    expect(cover.textContent).toContain(
      `Cover begins${purchase.text}Your Cover Dates${purchase.dates}Paid${pounds(total)}`,
    );
  });
});
