import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import type { Activity, PolicyTerm } from '../../../api/policies/policyTypes';
import { type Call, forId, refuse, type Server, sent } from '../../../api/testing';
import { exampleDate } from '../../../form/fields/date/dates';
import { formatDate, formatLongDate } from '../../../lib/dates/dates';
import {
  ADJUSTMENT,
  activity,
  COMPARISON,
  changing,
  day,
  ending,
  forgetAll,
  hold,
  may,
  RENEWAL,
  read,
  term,
} from '../../../testing/policy';
import { agree, openCancelPanel, openPolicy, region } from '../testing';

const LIST = 'GET /api/v1/activities';
const CREATE = 'POST /api/v1/activity/create';
const KEEP = 'PUT /api/v1/activity/{id}/withdraw';

afterEach(forgetAll);

/** Builds the response to a cancellation. A later day has a lower refund. */
function priced({ body }: Call<typeof CREATE>): Activity {
  const { effective_date: cancelDate } = body;
  const isLater = cancelDate !== day(0);
  const refund = { ...activity().refund, amount: isLater ? 33.5 : 41.07, lines: [] };
  const stage = body.preview
    ? { id: null, status: 'preview' as const }
    : { id: 'a1', status: isLater ? ('pending' as const) : ('done' as const) };
  const last = isLater ? day(20) : null;
  return activity({ ...stage, refund, effective_date: cancelDate ?? day(0), last_day: last });
}

const cancellable = (change: Partial<PolicyTerm> = {}) =>
  term({ cancel_days: { first: day(1), last: day(264) }, ...change });

const typeDay = async (text: string) => {
  const box = screen.getByRole('textbox', { name: 'Last day of your cover' });
  await userEvent.clear(box);
  await userEvent.type(box, text);
};

describe('a cancellation for a later day', () => {
  test('is asked by its last day of cover, and shows the figure of that day', async () => {
    let hasPreviewed = false;
    const calls = hold(
      () => read(hasPreviewed ? cancellable({ pending_cancellation: ending() }) : cancellable()),
      {
        [CREATE]: (call) => {
          hasPreviewed ||= !call.body.preview;
          return { data: priced(call) };
        },
        [LIST]: () => ({ data: hasPreviewed ? [ending()] : [] }),
      },
    );
    await openCancelPanel();
    const choice = within(screen.getByRole('group', { name: 'When should your cover end?' }));
    expect(choice.getByRole<HTMLInputElement>('radio', { name: /^Today/ }).checked).toBe(true);
    await waitFor(() => expect(screen.getAllByText('£41.07')).not.toEqual([]));
    await userEvent.click(choice.getByRole('radio', { name: /^A later day/ }));
    await typeDay(formatDate(day(20)));
    const last = formatLongDate(day(20));
    await screen.findByText(
      `Your cover ends on ${last}, at the end of the day. Until then it stays as it is, and you can change your mind.`,
    );
    const label = `Sent back to the card that paid on ${formatLongDate(day(21))}`;
    await screen.findByText(label);
    const status = screen.getByText(
      `£33.50 is sent back to the card that paid on ${formatLongDate(day(21))}.`,
    );
    expect(status.getAttribute('role')).toBe('status');
    await userEvent.selectOptions(screen.getByLabelText('Why would you like to cancel?'), '2');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel my cover' }));
    const dialogText = await agree('Cancel my cover');
    expect(dialogText).toContain(
      `Your cover ends on ${last}, at the end of the day. £33.50 is sent back`,
    );
    const card = await region(`Your cover ends on ${last}`);
    // The page reads the policy again before it moves the focus.
    await waitFor(() => expect(document.activeElement?.contains(card)).toBe(true));
    expect(within(card).getByText(/You are covered until the end of that day/)).toBeTruthy();
    const [commit, ...more] = sent(calls, CREATE).filter(({ body }) => !body.preview);
    expect(commit?.body).toMatchObject({ effective_date: day(21), reason_id: 2 });
    expect(more).toEqual([]);
    expect(screen.getByText('Live')).toBeTruthy();
    const dates = within(screen.getByRole('region', { name: 'Dates' }));
    expect(dates.getByText(`${formatDate(day(20))}, at the end of the day`)).toBeTruthy();
  });

  test('needs a day of the term', async () => {
    const calls = hold(() => read(cancellable()), {
      [CREATE]: (call) => ({ data: priced(call) }),
    });
    await openCancelPanel();
    await userEvent.click(screen.getByRole('radio', { name: /^A later day/ }));
    const button = screen.getByRole('button', { name: 'Cancel my cover' });
    await userEvent.click(button);
    await screen.findByText('Enter the last day of your cover');
    const box = screen.getByRole('textbox', { name: 'Last day of your cover' });
    await waitFor(() => expect(document.activeElement).toBe(box));
    await waitFor(() => expect(document.title).toBe('Error: Policy BRK100000001'));
    await typeDay('31/2/2027');
    await userEvent.click(button);
    await screen.findByText(`Enter a real date, such as ${exampleDate()}`);
    await typeDay(formatDate(day(264)));
    await userEvent.click(button);
    await screen.findByText(`Enter a date from ${formatDate(day(0))} to ${formatDate(day(263))}`);
    expect(sent(calls, CREATE).every(({ body }) => body.effective_date === day(0))).toBe(true);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('for a day that the server refuses says so at the day', async () => {
    const errors = { effective_date: ['A change is coming on that day.'] };
    hold(() => read(cancellable()), {
      [CREATE]: (call) =>
        call.body.effective_date === day(0)
          ? { data: priced(call) }
          : refuse(422, 'No', { errors }),
    });
    await openCancelPanel();
    await userEvent.click(screen.getByRole('radio', { name: /^A later day/ }));
    await typeDay(formatDate(day(20)));
    await screen.findByText('A change is coming on that day.');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel my cover' }));
    await waitFor(() =>
      expect(document.activeElement?.getAttribute('name')).toBe('answer-effective_date'),
    );
  });

  test('is not offered where there is no later day', async () => {
    hold(() => read(), { [CREATE]: (call) => ({ data: priced(call) }) });
    await openCancelPanel();
    expect(screen.queryByRole('group', { name: 'When should your cover end?' })).toBeNull();
    expect(screen.getByText(/^Your cover ends today/)).toBeTruthy();
  });

  test('is taken back: the question says what goes on, and the result has the focus', async () => {
    let isWithdrawn = false;
    const policy = () =>
      cancellable({ auto_renew: true, pending_cancellation: isWithdrawn ? null : ending() });
    const calls = hold(() => read(policy()), {
      [KEEP]: forId('a1', () => {
        isWithdrawn = true;
        return { data: ending({ status: 'withdrawn', ended_at: `${day(0)}T12:00:00Z` }) };
      }),
      [LIST]: () => ({
        data: [
          isWithdrawn ? ending({ status: 'withdrawn', ended_at: `${day(0)}T12:00:00Z` }) : ending(),
        ],
      }),
    });
    openPolicy();
    const card = within(await region(`Your cover ends on ${formatLongDate(day(20))}`));
    expect(card.getByText(/It doesn't renew\./)).toBeTruthy();
    expect(screen.queryByRole('switch')).toBeNull();
    expect(screen.getByText('Stopped')).toBeTruthy();
    await userEvent.click(card.getByRole('button', { name: 'Keep my cover' }));
    const dialogText = await agree('Keep my cover');
    const expiryText = formatLongDate(day(264));
    expect(dialogText).toContain(`It goes on until ${expiryText}, and renews by itself again.`);
    expect(dialogText).toContain('The £41.07 does not come back.');
    const result = await region('You keep your cover');
    expect(
      within(result).getByText(new RegExp(`Your cover goes on until ${expiryText}`)),
    ).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.contains(result)).toBe(true));
    expect(sent(calls, KEEP)).toHaveLength(1);
    expect(screen.getByRole<HTMLInputElement>('switch').checked).toBe(true);
    const history = within(await region('History'));
    expect(history.getByText(`Cancellation for ${formatDate(day(20))}, withdrawn`)).toBeTruthy();
  });

  test('whose last day is over can not be withdrawn', async () => {
    const pending_cancellation = ending({
      effective_date: day(0),
      last_day: day(-1),
      can_withdraw: false,
    });
    hold(() => read(cancellable({ pending_cancellation })));
    openPolicy();
    await screen.findByText(/That day is over: your policy is being ended now\./);
    expect(screen.queryByRole('button', { name: 'Keep my cover' })).toBeNull();
  });

  test('of the shop names the reason and can not be withdrawn', async () => {
    const reason = 'Your bank took back a payment for this policy';
    const notice = { is_by_shop: true, can_withdraw: false, reason_id: 101, reason };
    hold(() => read(cancellable({ pending_cancellation: ending(notice) })));
    openPolicy();
    const card = within(await region(`Your cover ends on ${formatLongDate(day(20))}`));
    expect(card.getByText(/we will end this policy/).textContent).toContain(
      `${reason}, so we will end this policy. Please call us`,
    );
    expect(card.queryByText(/You asked for this|being ended now/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Keep my cover' })).toBeNull();
  });

  test('that could not be withdrawn shows the reason', async () => {
    hold(() => read(cancellable({ pending_cancellation: ending() })), {
      [KEEP]: () => refuse(409, 'This policy has been cancelled already.'),
    });
    openPolicy();
    await userEvent.click(await screen.findByRole('button', { name: 'Keep my cover' }));
    await agree('Keep my cover');
    const alert = within(
      await screen.findByRole('alert', { name: 'Your cancellation was not withdrawn' }),
    );
    expect(alert.getByText('This policy has been cancelled already.')).toBeTruthy();
    expect(alert.getByRole('button', { name: 'Reload' })).toBeTruthy();
  });

  test('stops a renewal that is quoted', async () => {
    const renewal = {
      quote_uuid: RENEWAL,
      reference: 'BRK100000014',
      status_id: 1 as const,
      price: 79.1,
      price_last_year: 74.48,
      price_new_customer: 81.25,
      starts: COMPARISON.starts,
      holds_until: COMPARISON.starts,
      charge_on: null,
      plan: null,
    };
    const can = may({ renew: true, cancel: true });
    hold(() => read(cancellable({ can, renewal, pending_cancellation: ending() })));
    openPolicy();
    await region(/^Your cover ends on/);
    expect(screen.queryByRole('link', { name: 'Renew' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Your renewal' })).toBeNull();
  });
});

describe('a change and a cancellation that are both to come', () => {
  const scheduledTerm = (): PolicyTerm => ({
    ...changing(),
    pending_cancellation: ending(),
    cancel_days: null,
  });

  test('say what is true together', async () => {
    hold(() => read(scheduledTerm()));
    openPolicy();
    const card = within(await region(/^Coming change/));
    const last = formatLongDate(day(20));
    expect(
      card.getByText(new RegExp(`Your cover with this change then ends on ${last}\\.`)),
    ).toBeTruthy();
    expect(screen.getByRole('region', { name: `Your cover ends on ${last}` })).toBeTruthy();
  });

  test('a cancellation for a day before the change says that it is not made', async () => {
    const dropped_change = {
      adjustment_id: ADJUSTMENT,
      effective_date: day(30),
      amount_back: 12.89,
    };
    hold(() => read(cancellable({ pending_cancellation: ending({ dropped_change }) })));
    openPolicy();
    await screen.findByText(
      `The change that you agreed for ${formatLongDate(day(30))} is not made any more. The £12.89 that you paid for it is paid back to the card that paid, beside the refund.`,
    );
  });

  test('cancelled today, the question says that both are dropped and what comes back', async () => {
    const dropped_change = {
      adjustment_id: ADJUSTMENT,
      effective_date: day(10),
      amount_back: 12.89,
    };
    const server: Server = {
      [CREATE]: (call: Call<typeof CREATE>) => ({ data: { ...priced(call), dropped_change } }),
    };
    hold(() => read(scheduledTerm()), server);
    await openCancelPanel();
    await screen.findByText(
      `You have asked to cancel already: your cover ends on ${formatLongDate(day(20))}. This replaces it.`,
    );
    await screen.findByText(
      /is not made any more. The £12.89 that you paid for it comes back to the card that paid/,
    );
    await userEvent.selectOptions(screen.getByLabelText('Why would you like to cancel?'), '1');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel my cover' }));
    const dialogText = await agree('Keep my cover');
    expect(dialogText).toContain(
      'Your cover ends at once. £41.07 comes back to the card that paid.',
    );
    expect(dialogText).toContain(
      'The £12.89 that you paid for it comes back to the card that paid, which can take a few working days.',
    );
  });
});
