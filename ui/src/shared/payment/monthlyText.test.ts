import { describe, expect, test } from 'vitest';
import { formatMoney } from '../../lib/format/money';
import { planOf } from '../../testing/data';
import { afterSaleText, besideAnnualText, choiceText, laterText, planText } from './monthlyText';

const write = (amount: number) => formatMoney(amount);

describe('the text of a plan', () => {
  test('has every amount, the days and the total', () => {
    expect(planText(planOf(48.16, '2026-11-23'), write)).toBe(
      '£4.05 today, then 11 payments of £4.01 on the 23rd of each month until 23 October 2027. £48.16 in all, the same as paying at once. No interest, no charge.',
    );
  });

  test.each([
    [
      '2027-01-31',
      'on the 31st of each month, or its last day if it has no 31st, until 31 December 2027',
    ],
    [
      '2027-03-31',
      'on the 31st of each month, or its last day if it has no 31st, until 29 February 2028',
    ],
    [
      '2027-01-29',
      'on the 29th of each month, or its last day if it has no 29th, until 29 December 2027',
    ],
    ['2028-01-29', 'on the 29th of each month until 29 December 2028'],
    ['2026-12-11', 'on the 11th of each month until 11 November 2027'],
    ['2026-12-22', 'on the 22nd of each month until 22 November 2027'],
  ])('bought on %s', (bought, days) => {
    expect(laterText(planOf(48, bought).payments, write)).toBe(`11 payments of £4.00 ${days}`);
  });

  test('a single later payment has one day', () => {
    const { payments, ...plan } = planOf(48.16, '2027-01-31');
    const two = { ...plan, payments: payments.slice(0, 2) };
    expect(laterText(two.payments, write)).toBe('1 payment of £4.01 on 28 February 2027');
    expect(besideAnnualText(two, write)).toBe('or 2 payments: £4.05 today, then £4.01 in a month');
    expect(choiceText(two, write)).toBe('£4.05 today, then 1 payment of £4.01');
  });

  test('beside the annual price is short', () => {
    expect(besideAnnualText(planOf(48.16, '2026-11-23'), write)).toBe(
      'or 12 payments: £4.05 today, then £4.01 a month',
    );
  });
});

describe('the text after the sale', () => {
  const plan = {
    card_id: '0197f3c2-0000-7000-8000-000000000041',
    status: 'active' as const,
    payments: planOf(48.16, '2026-11-23').payments.map((each, index) => ({
      ...each,
      state: index === 0 ? ('paid' as const) : ('upcoming' as const),
    })),
  };

  test('says what the card pays later', () => {
    expect(afterSaleText(plan, 4.05, write)).toBe(
      'You paid £4.05. We charge your card 11 payments of £4.01 on the 23rd of each month until 23 October 2027.',
    );
  });

  test('says no charge of a plan that is not collected', () => {
    expect(afterSaleText({ ...plan, status: 'ended' }, 4.05, write)).toBeNull();
    expect(afterSaleText({ ...plan, status: 'notice' }, 4.05, write)).toBeNull();
  });

  test('promises no charge without a card', () => {
    const text = afterSaleText({ ...plan, card_id: null }, 4.05, write);
    expect(text).toContain('You paid £4.05. You pay the rest in 11 payments of £4.01 on the 23rd');
  });
});
