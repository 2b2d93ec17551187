import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, refuse, sent } from '../../../api/testing';
import { activity, day, forgetAll, hold, read, term } from '../../../testing/policy';
import { agree, openCancelPanel } from '../testing';

const CREATE = 'POST /api/v1/activity/create';
const PAST = "A policy can't end in the past. Choose today or a later day.";
const DAY_REFUSED =
  'A new day has begun, so we have worked out again what comes back. Nothing has been cancelled yet.';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T23:58:00Z') });
});

afterEach(async () => {
  vi.useRealTimers();
  await forgetAll();
});

/**
 * Returns a handler that calculates the refund of 22 November, and a lower refund for later days.
 * The handler refuses a day before `now()`.
 */
function priced(now: () => string) {
  return ({ body }: Call<typeof CREATE>) => {
    const requestedDate = body.effective_date ?? '';
    if (requestedDate < now()) return refuse(422, 'No', { errors: { effective_date: [PAST] } });
    const amount = requestedDate === '2026-11-22' ? 41.07 : 40.86;
    const stage = body.preview ? ('preview' as const) : ('done' as const);
    const refund = { ...activity().refund, amount, lines: [] };
    return { data: activity({ status: stage, effective_date: requestedDate, refund }) };
  };
}

async function ready() {
  await openCancelPanel();
  await waitFor(() => expect(screen.getAllByText('£41.07')).not.toEqual([]));
  await userEvent.selectOptions(screen.getByLabelText('Why would you like to cancel?'), '2');
}

const cancelled = (calls: Call[]) =>
  sent(calls, CREATE).filter(({ body }) => body.preview !== true);

async function cancelsToday(calls: Call[]) {
  await screen.findByText(DAY_REFUSED);
  await waitFor(() => expect(screen.getAllByText('£40.86')).not.toEqual([]));
  expect(screen.queryByText('£41.07')).toBeNull();
  expect(screen.getByText(/^Your cover ends today, Monday 23 November 2026/)).toBeTruthy();
  expect(screen.queryByRole('alert', { name: 'Your cover was not cancelled' })).toBeNull();
  const button = await screen.findByRole('button', { name: 'Cancel my cover' });
  await userEvent.click(button);
  expect(await agree('Cancel my cover')).toContain('£40.86 comes back');
  await waitFor(() => expect(cancelled(calls).at(-1)?.body.effective_date).toBe('2026-11-23'));
}

test('a panel that stays open past midnight shows the figure of the new day', async () => {
  const calls = hold(() => read(term()), { [CREATE]: priced(() => day(0)) });
  await ready();
  vi.setSystemTime(new Date('2026-11-23T00:00:20Z'));
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await screen.findByText(DAY_REFUSED);
  expect(cancelled(calls)).toEqual([]);
  await cancelsToday(calls);
});

test('midnight while the question is open cancels nothing on the figure of the day before', async () => {
  const calls = hold(() => read(term()), { [CREATE]: priced(() => day(0)) });
  await ready();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel my cover' }));
  await screen.findByRole('dialog');
  vi.setSystemTime(new Date('2026-11-23T00:00:20Z'));
  await agree('Cancel my cover');
  await screen.findByText(DAY_REFUSED);
  expect(cancelled(calls)).toEqual([]);
  await cancelsToday(calls);
});

test('what a clock that is ahead refuses is worked out again when the day begins here', async () => {
  let isTomorrow = false;
  const calls = hold(() => read(term()), {
    [CREATE]: priced(() => (isTomorrow ? '2026-11-23' : day(0))),
  });
  await ready();
  isTomorrow = true;
  await userEvent.click(screen.getByRole('button', { name: 'Cancel my cover' }));
  await agree('Cancel my cover');
  await screen.findByRole('alert', { name: 'Your cover was not cancelled' });
  expect(screen.getByText(PAST)).toBeTruthy();
  vi.setSystemTime(new Date('2026-11-23T00:00:20Z'));
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await cancelsToday(calls);
});
