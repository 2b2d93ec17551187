import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { forId } from '../../api/testing';
import { formatLongDate } from '../../lib/dates/dates';
import {
  activity,
  COMPARISON,
  day,
  forgetAll,
  hold,
  RENEWAL,
  read,
  term,
} from '../../testing/policy';
import { visit } from '../../testing/server';
import { autoRenewalText, RenewalComparison } from './RenewalComparison';

afterEach(forgetAll);

const compare = (policy = term()) => {
  hold(() => read(policy), {
    'GET /api/v1/renewal/{id}': forId(RENEWAL, () => ({ data: COMPARISON })),
  });
  visit({ '/': <RenewalComparison quote={RENEWAL} /> }, '/');
};

test('a renewal follows without a gap, and says what happens automatically', async () => {
  compare();
  await screen.findByText(/without a gap\.$/);
  expect(screen.getByText(/^It doesn't renew by itself/)).toBeTruthy();
  const [next] = screen.getAllByText(/^Your next year, from/);
  expect(next?.closest('[data-highlight]')).not.toBeNull();
});

test('while the policy before is to end early, it says which days are not covered', async () => {
  const pending = activity({ status: 'pending', effective_date: day(11), last_day: day(10) });
  compare(term({ pending_cancellation: pending }));
  await screen.findByText(
    new RegExp(`its cover ends on ${formatLongDate(day(10))}, and the days after it are not`),
  );
  expect(screen.queryByText(/without a gap\.$/)).toBeNull();
  expect(screen.queryByText(/^It doesn't renew by itself/)).toBeNull();
});

test('the card is named only where it will be charged', () => {
  const last_day = '2027-11-24';
  const next_year = 'by_itself' as const;
  const renewal = { ...COMPARISON, last_day, auto_renew: true, next_year };
  const stands =
    "It can't renew by itself as it stands: unless you renew it, your cover ends on Wednesday 24 November 2027 and nothing is charged.";
  expect(autoRenewalText({ ...renewal, charge_on: '2027-11-24' }, 'GBP')).toMatch(
    /^It renews by itself: we charge £79\.10 to the card that paid for it on Wednesday 24 November 2027\./,
  );
  const incomplete = { ...renewal, price: null, charge_on: null, next_year: 'incomplete' as const };
  expect(autoRenewalText(incomplete, 'GBP')).toBe(stands);
  // A refused card is not charged again.
  const refused = { ...renewal, charge_on: null, next_year: 'card_refused' as const };
  expect(autoRenewalText(refused, 'GBP')).toBe(
    'The card that paid for it has not paid for the renewal, and nothing was taken: unless you renew it, your cover ends on Wednesday 24 November 2027 and nothing is charged.',
  );
});
