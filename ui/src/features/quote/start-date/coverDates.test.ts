import { expect, test } from 'vitest';
import { evaluate } from '../../../form/conditions/visibility';
import type { Values } from '../../../form/types';
import { formatDate } from '../../../lib/dates/dates';
import { COMPLETE, FORM, PRODUCT } from '../../../testing/products/product';
import { type Premium, premiumOf } from '../price/pricing';
import { coverDates } from './coverDates';

const ANNUAL: Premium = premiumOf({
  amount_taxed: 48.16,
  amount_net: 43,
  amount_tax: 5.16,
  amount_total: 48.16,
  currency: 'GBP',
  per: 'year',
  basis: 'term',
  inception: '2026-11-22',
  expiry: '2027-11-21',
  lines: [],
  additional_charges: [],
});
/** The server's dates for a trip without an answer: tomorrow to tomorrow. */
const TRIP: Premium = { ...ANNUAL, per: 'trip', expiry: '2026-11-22' };

function shown(values: Values, trips: Values[] | null, premium: Premium | null) {
  const single: Values = trips ? { cover_level: 5, cover_length: 2 } : {};
  const state = evaluate(FORM, {
    values: { ...COMPLETE.values, ...single, ...values },
    multi: { ...COMPLETE.multi, ...(trips && { trips }) },
  });
  const dates = coverDates(FORM, PRODUCT.info, state, premium);
  return dates && `${formatDate(dates.from)} to ${formatDate(dates.to)}`;
}

test('a year has both its dates, with a price or without', () => {
  expect(shown({}, null, ANNUAL)).toBe('22/11/2026 to 21/11/2027');
  expect(shown({ start_date: '01.12.2026' }, null, null)).toBe('01/12/2026 to 30/11/2027');
  expect(shown({ start_date: null }, null, null)).toBeNull();
});

test('a trip has no end before its last day is answered', () => {
  expect(shown({}, [{}], TRIP)).toBe('22/11/2026 to ?');
  expect(shown({}, [{ trip_start_date: '01.12.2026' }], null)).toBe('01/12/2026 to ?');
  expect(shown({}, [{}], null)).toBeNull();
  const first = { trip_start_date: '01.12.2026', trip_end_date: '08.12.2026' };
  const priced = { ...TRIP, inception: '2026-12-01', expiry: '2026-12-08' };
  expect(shown({}, [first], priced)).toBe('01/12/2026 to 08/12/2026');
  expect(shown({}, [first], null)).toBe('01/12/2026 to 08/12/2026');
  expect(shown({}, [first, { trip_start_date: '20.12.2026' }], priced)).toBe('01/12/2026 to ?');
});

test('the price of a year stays with its dates until the price of the trip is there', () => {
  expect(shown({}, [{}], ANNUAL)).toBe('22/11/2026 to 21/11/2027');
});
