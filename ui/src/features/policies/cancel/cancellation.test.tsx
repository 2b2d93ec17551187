import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import type { Refund } from '../../../api/policies/policyTypes';
import { type Call, forId, refuse, sent } from '../../../api/testing';
import { DISPUTE_NOTE } from '../../../shared/cover/dispute';
import { UUID } from '../../../testing/data';
import { activity, day, forgetAll, hold, may, read, term } from '../../../testing/policy';
import { agree, openCancelPanel, openPolicy } from '../testing';

const CREATE = 'POST /api/v1/activity/create';
const LIST = 'GET /api/v1/activities';
const NOT_TAKE_UP = 'PUT /api/v1/policy/ntu/{id}';
const previews = ({ body }: Call<typeof CREATE>) => body.preview === true;

afterEach(forgetAll);

describe('cancelling', () => {
  test('shows the exact refund first, asks once more, and follows the money to its end', async () => {
    let cancelled = false;
    let refund: Refund['status'] = 'pending';
    const policy = () => {
      if (!cancelled) return read();
      const over = term({ can: may(), cancellation: activity() });
      return read(over, { status_id: 8, status_title: 'Cancelled' });
    };
    const calls = hold(policy, {
      [LIST]: () => {
        const data = [activity({ refund: { ...activity().refund, status: refund } })];
        refund = 'paid';
        return { data };
      },
      [CREATE]: (call) => {
        if (previews(call)) return { data: activity({ id: null, status: 'preview' }) };
        cancelled = true;
        return { data: activity() };
      },
    });
    await openCancelPanel();
    const button = screen.getByRole('button', { name: 'Please wait...' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    const fee = await screen.findByText('Cancellation fee');
    expect(button.textContent).toBe('Cancel my cover');
    expect(screen.getAllByText('£41.07').length).toBeGreaterThan(0);
    const reason = screen.getByLabelText<HTMLSelectElement>('Why would you like to cancel?');
    expect(reason.value).toBe('');
    expect(fee.compareDocumentPosition(reason)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    await userEvent.selectOptions(reason, '2');
    expect(sent(calls, CREATE)).toHaveLength(1);

    await userEvent.type(screen.getByRole('textbox'), 'Sold to my sister.');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel my cover' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/£41.07 comes back to the card that paid/)).toBeTruthy();
    const choices = dialog.getAllByRole('button').map((each) => each.textContent);
    expect(choices).toEqual(['Keep my cover', 'Cancel my cover']);
    await userEvent.click(dialog.getByRole('button', { name: 'Keep my cover' }));
    expect(sent(calls, CREATE)).toHaveLength(1);

    await userEvent.click(button);
    await agree('Cancel my cover');
    await screen.findByRole('region', { name: 'Cancellation' });
    const commit = sent(calls, CREATE).find((call) => !previews(call));
    expect(commit?.body).toEqual({
      type: 'cancellation',
      policy_uuid: UUID,
      reason_id: 2,
      effective_date: day(0),
      note: 'Sold to my sister.',
    });
    expect(commit?.headers.get('Idempotency-Key')).toBeTruthy();
    await screen.findByText(
      'It was paid back to you. Your bank may need a few working days to show it.',
    );
    expect(screen.getByRole('button', { name: 'Buy again' })).toBeTruthy();
  });

  test('without a reason nothing is cancelled', async () => {
    const calls = hold(() => read(), {
      [CREATE]: () => ({ data: activity({ id: null, status: 'preview' }) }),
    });
    await openCancelPanel();
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel my cover' }));
    await screen.findByText('Choose a reason');
    await waitFor(() => expect(document.activeElement?.tagName).toBe('SELECT'));
    await waitFor(() => expect(document.title).toBe('Error: Policy BRK100000001'));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent(calls, CREATE).every(previews)).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Keep my cover' }));
    expect(screen.queryByLabelText('Why would you like to cancel?')).toBeNull();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel cover' })),
    );
  });

  test('that failed keeps the answer, and the cover', async () => {
    hold(() => read(), {
      [CREATE]: (call) =>
        previews(call)
          ? { data: activity({ id: null, status: 'preview' }) }
          : refuse(409, 'A cancellation is under way already.'),
    });
    await openCancelPanel();
    await userEvent.selectOptions(screen.getByLabelText('Why would you like to cancel?'), '1');
    await screen.findByText('Cancellation fee');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel my cover' }));
    await agree('Cancel my cover');
    const alert = await screen.findByRole('alert', { name: 'Your cover was not cancelled' });
    expect(within(alert).getByText('A cancellation is under way already.')).toBeTruthy();
    await waitFor(() => expect(document.title).toBe('Error: Policy BRK100000001'));
    expect(screen.getByText('Live')).toBeTruthy();
  });

  test('whose refund failed to be worked out is not stuck: the button asks for it again', async () => {
    let failing = true;
    const calls = hold(() => read(), {
      [CREATE]: () =>
        failing
          ? refuse(503, 'We are stopping.')
          : { data: activity({ id: null, status: 'preview' }) },
    });
    await openCancelPanel();
    await userEvent.selectOptions(screen.getByLabelText('Why would you like to cancel?'), '1');
    const first = await screen.findByRole('alert', { name: "We couldn't work out your refund" });
    const button = screen.getByRole('button', { name: 'Work out my refund again' });
    await userEvent.click(button);
    // The alert stays while the call runs. A second failure replaces it.
    expect(button.textContent).toBe('Please wait...');
    expect(first.isConnected).toBe(true);
    await waitFor(() => expect(first.isConnected).toBe(false));
    expect(screen.getByRole('alert', { name: "We couldn't work out your refund" })).toBeTruthy();
    failing = false;
    await userEvent.click(button);
    await screen.findByText('Cancellation fee');
    expect(screen.queryByRole('alert', { name: "We couldn't work out your refund" })).toBeNull();
    expect(button.textContent).toBe('Cancel my cover');
    await waitFor(() => expect(document.activeElement).toBe(button));
    expect(sent(calls, CREATE).every(previews)).toBe(true);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('whose refund can’t be worked out says so before anything is done', async () => {
    const errors = { effective_date: ['Too late.'] };
    hold(() => read(), { [CREATE]: () => refuse(422, 'No', { errors }) });
    await openCancelPanel();
    await userEvent.selectOptions(screen.getByLabelText('Why would you like to cancel?'), '1');
    await screen.findByText('Too late.');
  });
});

test('a refund that waits for a bank’s decision is not said to be on its way', async () => {
  const waits = activity({ status: 'done', refund: { ...activity().refund, status: 'disputed' } });
  const over = term({ can: may(), cancellation: waits });
  hold(() => read(over, { status_id: 8, status_title: 'Cancelled' }), {
    [LIST]: () => ({ data: [waits] }),
  });
  openPolicy();
  await screen.findByText(/^Your bank is deciding a dispute of your payment, and the refund waits/);
  expect(screen.queryByText(/working days/)).toBeNull();
});

test('while a bank decides a dispute, the question says that a refund waits for it', async () => {
  hold(() => read(term({ is_disputed: true })), {
    [CREATE]: () => ({ data: activity({ id: null, status: 'preview' }) }),
  });
  await openCancelPanel();
  await userEvent.selectOptions(screen.getByLabelText('Why would you like to cancel?'), '1');
  await screen.findByText('Cancellation fee');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel my cover' }));
  expect(await agree('Keep my cover')).toContain(DISPUTE_NOTE);
});

test('a refund the bank refused says whom to call', async () => {
  const refused = activity({ status: 'done', refund: { ...activity().refund, status: 'refused' } });
  const over = term({ can: may(), cancellation: refused });
  hold(() => read(over, { status_id: 8, status_title: 'Cancelled' }), {
    [LIST]: () => ({ data: [refused] }),
  });
  openPolicy();
  await screen.findByText(
    /The refund to your card could not be made, so we still owe it to you\. We will contact you/,
  );
  await screen.findByText(/If you need a hand/);
});

describe('not taken up', () => {
  const futureTerm = () =>
    term({
      inception: day(12),
      can: may({ not_take_up: true }),
      why_not: { cancel: 'Not begun.' },
    });

  test('everything comes back, in its own words', async () => {
    let isWithdrawn = false;
    const calls = hold(
      () =>
        isWithdrawn
          ? read(term({ can: may() }), { status_id: 14, status_title: 'Not taken up' })
          : read(futureTerm()),
      {
        [NOT_TAKE_UP]: forId(UUID, () => {
          isWithdrawn = true;
          const refund = { amount: 74.48, lines: [], status: 'pending' as const };
          return { data: { refund, status_id: 14, adjustment: null } };
        }),
      },
    );
    openPolicy();
    await userEvent.click(
      await screen.findByRole('button', { name: "I don't want this after all" }),
    );
    await screen.findByText(/there is no fee/);
    await userEvent.click(screen.getByRole('button', { name: 'Undo this policy' }));
    await agree('Undo this policy');
    const card = within(await screen.findByRole('region', { name: 'Not taken up' }));
    expect(card.getByText('£74.48')).toBeTruthy();
    expect(card.getByText(/It is on its way to the card that paid/)).toBeTruthy();
    const undoing = sent(calls, NOT_TAKE_UP);
    expect(undoing).toHaveLength(1);
    expect(undoing[0]?.headers.get('Idempotency-Key')).toBeTruthy();
    expect(screen.queryByText('Not begun.')).toBeNull();
  });

  test('while a bank decides a dispute, the question says that a refund waits for it', async () => {
    hold(() => read({ ...futureTerm(), is_disputed: true }));
    openPolicy();
    await userEvent.click(
      await screen.findByRole('button', { name: "I don't want this after all" }),
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Undo this policy' }));
    expect(await agree('Keep my cover')).toContain(DISPUTE_NOTE);
  });

  test('refused, it says why', async () => {
    hold(() => read(futureTerm()), { [NOT_TAKE_UP]: () => refuse(409, 'Cover has begun.') });
    openPolicy();
    await userEvent.click(
      await screen.findByRole('button', { name: "I don't want this after all" }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Undo this policy' }));
    await agree('Undo this policy');
    await screen.findByText('Cover has begun.');
  });
});
