import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Adjustment, PolicyTerm } from '../../api/policies/policyTypes';
import { type Call, forId, refuse, type Server, sent } from '../../api/testing';
import { formatDate, formatLongDate } from '../../lib/dates/dates';
import { DISPUTE_NOTE } from '../../shared/cover/dispute';
import { UUID } from '../../testing/data';
import {
  ADJUSTMENT,
  adjustment,
  day,
  forgetAll,
  hold,
  may,
  read,
  term,
} from '../../testing/policy';
import { openChange } from './testing';

const LIST = 'GET /api/v1/policy/{id}/mta';
const CONFIRM = 'PUT /api/v1/policy/{id}/mta/confirm';
const DECREASE = 'PUT /api/v1/policy/{id}/mta/decrease';
const MAKE = 'PUT /api/v1/policy/{id}/mta';
const PRICE_KEEP = 'POST /api/v1/policy/{id}/price-keep';

const DAYS = { first: day(0), last: day(264) };

let reload = vi.fn();
beforeEach(() => {
  reload = vi.fn();
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
});
afterEach(forgetAll);

/** Starts a server with the same price for every change, on the requested day. */
function pricing(priced: Partial<Adjustment>, policy: Partial<PolicyTerm> = {}, own: Server = {}) {
  let list: Adjustment[] = [];
  const applyChange = (change: Partial<Adjustment>) => {
    list = list.map((each) => ({ ...each, ...change }));
    return { data: list[0] ?? adjustment() };
  };
  return hold(() => read(term({ change_days: DAYS, ...policy })), {
    [CONFIRM]: forId(UUID, ({ body }: Call<typeof CONFIRM>) => {
      list = [adjustment({ ...priced, effective_date: body.effective_date ?? day(0) })];
      return applyChange({});
    }),
    [DECREASE]: forId(UUID, () => ({
      data: { adjustment_id: ADJUSTMENT, refund: { amount: 9.61, lines: [], status: 'none' } },
    })),
    [MAKE]: forId(UUID, () => applyChange({ status: 'agreed', agreed: `${day(0)}T12:00:00Z` })),
    [LIST]: forId(UUID, () => ({ data: list })),
    ...own,
  });
}

const LATER_DAY = /^A later day/;
const box = () => screen.findByRole('textbox', { name: 'First day of the change' });

async function chooseDay(text: string) {
  const group = await screen.findByRole('group', { name: 'When should this change start?' });
  await userEvent.click(within(group).getByRole('radio', { name: LATER_DAY }));
  const field = await box();
  await userEvent.clear(field);
  if (text) await userEvent.type(field, text);
}

async function addKeyCover() {
  openChange();
  await userEvent.click(await screen.findByRole('button', { name: 'Update my details' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Key cover' }));
}

const requestPrice = () =>
  userEvent.click(screen.getByRole('button', { name: 'See the new price' }));
const priced = () => screen.findByRole('heading', { name: 'Your new price' });

describe('a change for a later day', () => {
  test('starts today unless another day is chosen', async () => {
    const calls = pricing({});
    await addKeyCover();
    const group = await screen.findByRole('group', { name: 'When should this change start?' });
    const today = within(group).getByRole<HTMLInputElement>('radio', { name: /^Today/ });
    expect(today.checked).toBe(true);
    await requestPrice();
    await priced();
    expect(sent(calls, CONFIRM)[0]?.body).not.toHaveProperty('effective_date');
    expect(screen.queryByText(/until then/)).toBeNull();
  });

  test('is priced for its day; going back keeps the day, and another is priced anew', async () => {
    const calls = pricing({});
    await addKeyCover();
    await chooseDay(formatDate(day(30)));
    await requestPrice();
    await priced();
    const start = formatLongDate(day(30));
    expect(
      screen.getByText(
        new RegExp(`From ${start} your cover would be as below; until then it stays as it is\\.`),
      ),
    ).toBeTruthy();
    expect(
      screen.getByText(
        `You pay it today. If you withdraw the change before ${start}, all of it comes back.`,
      ),
    ).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Change something else' }));
    expect((await box()).getAttribute('value')).toBe(formatDate(day(30)));
    await chooseDay(formatDate(day(31)));
    await requestPrice();
    await screen.findByText(new RegExp(`From ${formatLongDate(day(31))}`));
    expect(sent(calls, CONFIRM).map(({ body }) => body.effective_date)).toEqual([day(30), day(31)]);
  });

  test('that costs less says that its money comes back on the day, and is agreed', async () => {
    pricing({ kind: 'decrease', amount_now: -9.61, tax_now: -1.03 }, { is_disputed: true });
    await addKeyCover();
    await chooseDay(formatDate(day(30)));
    await requestPrice();
    const start = formatLongDate(day(30));
    await screen.findByText(`It is sent back on ${start}, when the change starts.`);
    expect(screen.getByText(DISPUTE_NOTE)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Accept' }));
    await screen.findByRole('heading', { name: 'Your change is agreed' });
    expect(screen.getByText(/Until then it stays as it is/)).toBeTruthy();
    expect(screen.getByText(`£9.61 is sent back to the card that paid on ${start}.`)).toBeTruthy();
    expect(screen.queryByText(/is on its way back/)).toBeNull();
  });

  test('needs a day of the term: what is wrong is listed, stands at the box, and has the focus', async () => {
    const calls = pricing({});
    await addKeyCover();
    await chooseDay('');
    await requestPrice();
    const text = 'Enter the day on which this change should start';
    const summary = await screen.findByRole('alert', { name: 'There is a problem' });
    expect(within(summary).getByRole('link', { name: text })).toBeTruthy();
    const field = await box();
    await waitFor(() => expect(document.activeElement).toBe(summary));
    expect(field.getAttribute('aria-invalid')).toBe('true');
    await chooseDay(formatDate(day(265)));
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
    await requestPrice();
    const outside = `Enter a date from ${formatDate(day(1))} to ${formatDate(day(264))}`;
    await waitFor(() => expect(screen.getAllByText(outside)).toHaveLength(2));
    await userEvent.click(screen.getByRole('radio', { name: /^Today/ }));
    await requestPrice();
    await priced();
    expect(sent(calls, CONFIRM)).toHaveLength(1);
  });

  test('whose day the server refuses says so at the box', async () => {
    const errors = { effective_date: ['Your cover ends before that day.'] };
    pricing({}, {}, { [CONFIRM]: () => refuse(422, 'No', { errors }) });
    await addKeyCover();
    await chooseDay(formatDate(day(30)));
    await requestPrice();
    await waitFor(() => expect(screen.getAllByText(/Your cover ends before/)).toHaveLength(2));
    const summary = screen.getByRole('alert', { name: 'There is a problem' });
    await waitFor(() => expect(document.activeElement).toBe(summary));
  });

  test('keeps its day over a reload', async () => {
    pricing({}, {}, { [CONFIRM]: () => refuse(409, 'This policy was changed meanwhile.') });
    await addKeyCover();
    await chooseDay(formatDate(day(30)));
    await requestPrice();
    await userEvent.click(await screen.findByRole('button', { name: 'Reload' }));
    expect(reload).toHaveBeenCalledTimes(1);
    await forgetAll();
    pricing({});
    openChange();
    expect((await box()).getAttribute('value')).toBe(formatDate(day(30)));
  });

  test('without a price of its own is agreed like every other, and not saved at once', async () => {
    const calls = pricing({ kind: 'keep', amount_now: 0, tax_now: 0, lines: [] });
    openChange();
    await chooseDay(formatDate(day(30)));
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Details About you' }));
    const phone = screen.getByRole('textbox', { name: /^Another telephone/ });
    await userEvent.clear(phone);
    await userEvent.type(phone, '020 7946 0000');
    await userEvent.click(screen.getByRole('button', { name: 'Confirm Details About you' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await priced();
    expect(sent(calls, PRICE_KEEP)).toEqual([]);
    expect(sent(calls, CONFIRM)[0]?.body).toMatchObject({ effective_date: day(30) });
  });

  test('before cover begins, the first day is that of the cover', async () => {
    pricing({}, { inception: day(5), change_days: { first: day(5), last: day(369) } });
    openChange();
    const group = within(
      await screen.findByRole('group', { name: 'When should this change start?' }),
    );
    expect(group.queryByRole('radio', { name: /^Today/ })).toBeNull();
    const first = group.getByRole('radio', { name: /^With the first day of cover/ });
    expect(first.closest('label')?.textContent).toContain(formatLongDate(day(5)));
  });

  test('is not asked about on the last day', async () => {
    pricing({}, { change_days: { first: day(0), last: day(0) } });
    openChange();
    await screen.findByRole('heading', { name: 'Change your cover' });
    expect(screen.queryByRole('group', { name: 'When should this change start?' })).toBeNull();
  });
});

test('while a change is coming, the page says so in place of the form', async () => {
  const reason = 'A change is agreed already. Please withdraw it first.';
  pricing(
    {},
    {
      can: may({ cancel: true }),
      why_not: { change: reason },
      change_days: null,
      scheduled_change: adjustment({ status: 'agreed', effective_date: day(10) }),
    },
  );
  openChange();
  await screen.findByRole('heading', { name: 'A change is coming already' });
  expect(screen.getByText(reason)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'View your policy' })).toBeTruthy();
});

test.each([
  [
    'withdrawn',
    'You withdrew this change',
    'This change is not part of your cover. You had paid £12.89. £12.89 is on its way back to the card that paid.',
  ],
  [
    'superseded',
    'This change is not made any more',
    'This change is not part of your cover. You had paid £12.89. £12.89 is on its way back to the card that paid.',
  ],
] as const)(
  'a paid change that is %s says what became of its money',
  async (status, title, text) => {
    const scheduled = adjustment({
      status,
      effective_date: day(10),
      agreed: `${day(-1)}T12:00:00Z`,
      ended_at: `${day(0)}T12:00:00Z`,
      refund: { amount: 12.89, lines: [], status: 'pending' },
    });
    hold(() => read(), { [LIST]: forId(UUID, () => ({ data: [scheduled] })) });
    openChange(`?adjustment=${ADJUSTMENT}`);
    await screen.findByRole('heading', { name: title });
    expect(screen.getByText(text)).toBeTruthy();
  },
);

test('a change of a policy that was cancelled since says so, and is not worked out again', async () => {
  const cancelled = read(term({ can: may() }), { status_id: 8, status_title: 'Cancelled' });
  const scheduled = adjustment({
    status: 'superseded',
    agreed: `${day(-1)}T12:00:00Z`,
    ended_at: `${day(0)}T12:00:00Z`,
    refund: { amount: 12.89, lines: [], status: 'paid' },
  });
  const list = [scheduled];
  hold(() => cancelled, { [LIST]: forId(UUID, () => ({ data: list })) });
  openChange(`?adjustment=${ADJUSTMENT}`);
  await screen.findByText(
    'This change is not part of your cover. Your policy is cancelled. You had paid £12.89. £12.89 was paid back to you. Your bank may need a few working days to show it.',
  );
  expect(screen.queryByRole('button', { name: 'Work it out again' })).toBeNull();
  expect(screen.queryByText(/stays as it is/)).toBeNull();
});

test('the price of a policy that was cancelled since no longer holds', async () => {
  const cancelled = read(term({ can: may() }), { status_id: 8, status_title: 'Cancelled' });
  const superseded = adjustment({ status: 'superseded' });
  hold(() => cancelled, { [LIST]: forId(UUID, () => ({ data: [superseded] })) });
  openChange(`?adjustment=${ADJUSTMENT}`);
  await screen.findByText('Your policy is cancelled, so this price no longer holds.');
  expect(screen.getByRole('heading', { name: 'This price no longer holds' })).toBeTruthy();
  expect(screen.queryByText(/unchanged/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Work it out again' })).toBeNull();
});
