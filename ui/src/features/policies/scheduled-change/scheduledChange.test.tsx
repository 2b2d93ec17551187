import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import type { Refund } from '../../../api/policies/policyTypes';
import { forId, refuse, sent } from '../../../api/testing';
import { formatDate, formatLongDate } from '../../../lib/dates/dates';
import { DISPUTE_NOTE } from '../../../shared/cover/dispute';
import { UUID } from '../../../testing/data';
import {
  ADJUSTMENT,
  agreed,
  changing,
  day,
  forgetAll,
  hold,
  REFUSAL,
  read,
  term,
} from '../../../testing/policy';
import { agree, openPolicy, region } from '../testing';

const CHANGES = 'GET /api/v1/policy/{id}/mta';
const TAKE_BACK = 'PUT /api/v1/policy/ntu/{id}';

afterEach(forgetAll);

describe('a change that is coming', () => {
  test('is shown with its day, what changes, what was paid, and why no other is possible', async () => {
    hold(() => read(changing()), { [CHANGES]: forId(UUID, () => ({ data: [agreed()] })) });
    openPolicy();
    const card = within(await region(`Coming change: from ${formatLongDate(day(10))}`));
    expect(card.getByText('Key cover: No → Yes')).toBeTruthy();
    expect(
      card.getByText(
        `You paid £12.89. Until ${formatLongDate(day(10))} your cover stays as it is.`,
      ),
    ).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Change cover' })).toBeNull();
    expect(screen.getByText(REFUSAL)).toBeTruthy();
    const history = within(await region('History'));
    expect(history.getByText(`Coming from ${formatDate(day(10))}`)).toBeTruthy();
  });

  test('says when its money comes back', async () => {
    hold(() => read(changing(agreed({ kind: 'decrease', amount_now: -9.61 }))));
    openPolicy();
    await screen.findByText(new RegExp(`^£9.61 is sent back.* on ${formatLongDate(day(10))}\\.`));
  });

  const NO_REFUND = { amount: 0, lines: [], status: 'none' as const };
  const REFUND = { amount: 12.89, lines: [], status: 'pending' as const };
  const withdrawn = (refund: Refund = REFUND) => ({
    status_id: 5 as const,
    refund,
    adjustment: agreed({ status: 'withdrawn' }),
  });

  test('is withdrawn after a question that says what comes back; the result has the focus', async () => {
    let isWithdrawn = false;
    const calls = hold(() => read(isWithdrawn ? term() : changing()), {
      [TAKE_BACK]: forId(ADJUSTMENT, () => {
        isWithdrawn = true;
        return { data: withdrawn() };
      }),
      [CHANGES]: forId(UUID, () => ({
        data: isWithdrawn
          ? [
              agreed({
                status: 'withdrawn',
                ended_at: `${day(0)}T12:00:00Z`,
                refund: { ...REFUND, status: 'paid' },
              }),
            ]
          : [agreed()],
      })),
    });
    openPolicy();
    const button = await screen.findByRole('button', { name: 'Withdraw this change' });
    await userEvent.click(button);
    await agree('Keep this change');
    expect(sent(calls, TAKE_BACK)).toEqual([]);
    await waitFor(() => expect(document.activeElement).toBe(button));
    await userEvent.click(button);
    const dialogText = await agree('Withdraw this change');
    expect(dialogText).toContain('Your cover stays as it is, and the £12.89 you paid comes back');
    const result = await region('Your change is withdrawn');
    expect(
      within(result).getByText(/£12.89 is on its way back to the card that paid/),
    ).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.contains(result)).toBe(true));
    expect(sent(calls, TAKE_BACK)).toHaveLength(1);
    expect(screen.queryByRole('region', { name: /^Coming change/ })).toBeNull();
    expect(screen.getByRole('link', { name: 'Change cover' })).toBeTruthy();
    const history = within(await region('History'));
    expect(history.getByText(`For ${formatDate(day(10))}, withdrawn`)).toBeTruthy();
    expect(history.getByText(/You had paid £12.89. £12.89 was paid back to you./)).toBeTruthy();
  });

  test('withdrawn while a bank decides a dispute, its money is not said to be on its way', async () => {
    let isWithdrawn = false;
    const open = () => ({ ...(isWithdrawn ? term() : changing()), is_disputed: true });
    hold(() => read(open()), {
      [TAKE_BACK]: forId(ADJUSTMENT, () => {
        isWithdrawn = true;
        return { data: withdrawn({ ...REFUND, status: 'disputed' }) };
      }),
    });
    openPolicy();
    await userEvent.click(await screen.findByRole('button', { name: 'Withdraw this change' }));
    expect(await agree('Withdraw this change')).toContain(DISPUTE_NOTE);
    const notice = within(await region('Your payment is disputed'));
    expect(notice.getByText(DISPUTE_NOTE)).toBeTruthy();
    const result = within(await region('Your change is withdrawn'));
    expect(result.getByText(/the refund of £12.89 waits for that\./)).toBeTruthy();
    expect(result.queryByText(/on its way/)).toBeNull();
  });

  test.each([
    ['decrease', -9.61, 'and the £9.61 does not come back on'],
    ['keep', 0, 'Your cover stays as it is.'],
  ] as const)(
    'a %s: the question says what is true of its money',
    async (kind, amount_now, text) => {
      hold(() => read(changing(agreed({ kind, amount_now }))), {
        [TAKE_BACK]: forId(ADJUSTMENT, () => ({ data: withdrawn(NO_REFUND) })),
      });
      openPolicy();
      await userEvent.click(await screen.findByRole('button', { name: 'Withdraw this change' }));
      expect(await agree('Withdraw this change')).toContain(text);
      const result = within(await region('Your change is withdrawn'));
      expect(result.getByText('Your cover stays as it is.')).toBeTruthy();
    },
  );

  const LOGIN = 'Unauthorised, please login before trying again.';
  test.each([
    [401, LOGIN, 'Login'],
    [404, 'We could not find this.', null],
    [409, 'This change is in force.', 'Reload'],
    [503, 'We are stopping.', null],
  ] as const)('that could not be withdrawn (%i) says why', async (status, message, button) => {
    let isWithdrawn = false;
    hold(() => read(isWithdrawn ? term() : changing()), {
      [TAKE_BACK]: () => refuse(status, message),
    });
    openPolicy();
    await userEvent.click(await screen.findByRole('button', { name: 'Withdraw this change' }));
    await agree('Withdraw this change');
    const alert = within(
      await screen.findByRole('alert', { name: 'Your change was not withdrawn' }),
    );
    expect(alert.getByText(message)).toBeTruthy();
    const buttons = alert.queryAllByRole('button').map((each) => each.textContent);
    expect(buttons).toEqual(button ? [button] : []);
    if (button === 'Reload') {
      isWithdrawn = true;
      await userEvent.click(alert.getByRole('button', { name: 'Reload' }));
      await waitFor(() =>
        expect(screen.queryByRole('region', { name: /^Coming change/ })).toBeNull(),
      );
    }
  });

  test('whose day has begun can not be withdrawn', async () => {
    hold(() => read(changing(agreed({ effective_date: day(0), can_withdraw: false }))));
    openPolicy();
    await region(/^Coming change/);
    expect(screen.getByText(/Its day has begun: it is being made now\./)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Withdraw this change' })).toBeNull();
  });
});
