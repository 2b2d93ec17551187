import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { SHOP_DATES, showDates } from '../../../lib/dates/dateStyle';
import { formatDate } from '../../../lib/dates/dates';
import { UUID } from '../../../testing/data';
import { activity, adjustment, day, ending, forgetAll } from '../../../testing/policy';
import { show } from '../../../testing/server';
import { validateDay } from '../startChoice';
import { History } from './History';

afterEach(forgetAll);

test('a change that a cancellation dropped says so, also where the policy goes on', async () => {
  const dropped = adjustment({
    status: 'superseded',
    agreed: `${day(-2)}T12:00:00Z`,
    ended_at: `${day(-1)}T12:00:00Z`,
  });
  const withdrawn = ending({ status: 'withdrawn', ended_at: `${day(0)}T12:00:00Z` });
  show(
    {
      '/': <History uuid={UUID} adjustments={[dropped]} cancellations={[withdrawn]} />,
    },
    '/',
  );
  await screen.findByText(/Dropped .*, when you asked for the policy to end\./);
  expect(screen.queryByText(/as the policy ends/)).toBeNull();
});

test('a cancellation that leaves no day covered is there', async () => {
  const first = activity({ status: 'pending', effective_date: day(3), last_day: null });
  show({ '/': <History uuid={UUID} adjustments={[]} cancellations={[first]} /> }, '/');
  await screen.findByRole('heading', { name: `Cancellation before ${formatDate(day(3))}` });
});

test('a day that is none is asked for as the customer sees dates', () => {
  showDates({ format: 'yyyy-MM-dd', locale: 'en-GB' });
  const days = { from: { year: 2026, month: 1, day: 1 }, to: { year: 2026, month: 2, day: 1 } };
  const fault = validateDay({ isLater: true, text: 'soon' }, days, 'missing');
  showDates(SHOP_DATES);
  expect(fault).toMatch(/^Enter a real date, such as \d{4}-\d\d-27$/);
});
