import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { forId, refuse, sent } from '../../api/testing';
import { UUID } from '../../testing/data';
import { day, forgetAll, hold, read } from '../../testing/policy';
import { openChange } from './testing';

const PRICE = 'POST /api/v1/policy/{id}/mta/price';
const CONFIRM = 'PUT /api/v1/policy/{id}/mta/confirm';

afterEach(forgetAll);

const level = async (name: RegExp) => userEvent.click(await screen.findByRole('radio', { name }));

const shown = async (text: RegExp) =>
  waitFor(() => {
    const status = screen.getAllByRole('status').find((each) => text.test(each.textContent ?? ''));
    expect(status).toBeTruthy();
  });

test('the price of another level and what is due show while it is chosen, and nothing is offered', async () => {
  const calls = hold(() => read());
  openChange('?task=level');
  expect(await screen.findByRole('heading', { name: 'Change level', level: 1 })).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'About you' })).toBeNull();
  await level(/^National and home/);
  await shown(/Your new price£92\.30\/year.*To pay today£12\.89/);
  const levels = () => sent(calls, PRICE).map(({ body }) => body.product.values?.cover_level);
  // The card of the level and the bar below the form each read the price once.
  await waitFor(() => expect(levels().filter((level) => level === 4)).toHaveLength(2));
  expect(sent(calls, CONFIRM)).toHaveLength(0);
});

test('each level has its new yearly price and what is due or comes back', async () => {
  const calls = hold(() => read(), {
    [PRICE]: forId(UUID, ({ body }) => {
      const level = Number(body.product.values?.cover_level);
      return {
        data: {
          effective_date: day(0),
          premium_before: 74.48,
          premium_after: 60 + level,
          amount_now: level < 3 ? -level : level,
          days_left: 265,
          days_in_term: 365,
          plan: null,
        },
      };
    }),
  });
  openChange('?task=level');
  const card = async (name: RegExp, ...texts: string[]) => {
    const radio = await screen.findByRole('radio', { name });
    const details = document.getElementById(radio.getAttribute('aria-describedby') ?? '');
    await waitFor(() => {
      for (const text of texts) expect(details?.textContent).toContain(text);
    });
  };
  await card(/^Local(?! and)/, '£61.00/year', '£1.00 comes back to you');
  await card(/^National and home/, '£64.00/year', '£4.00 to pay today');
  await card(/^National(?! and)/, '£74.48/year', 'Your cover now');
  // Another choice leaves the present level its own price, and nothing to pay.
  await level(/^Local(?! and)/);
  await card(/^National(?! and)/, '£74.48/year', 'Your cover now');
  expect(sent(calls, CONFIRM)).toHaveLength(0);
});

test('a level without a price shows none, and a failed price leaves the others', async () => {
  hold(() => read(), {
    [PRICE]: forId(UUID, ({ body }) =>
      body.product.values?.cover_level === 1 ? refuse(422, 'Please call us.') : undefined,
    ),
  });
  openChange('?task=level');
  expect(await screen.findAllByText('£12.89 to pay today')).not.toHaveLength(0);
  const radio = screen.getByRole('radio', { name: /^Local(?! and)/ });
  const details = document.getElementById(radio.getAttribute('aria-describedby') ?? '');
  expect(details?.textContent).not.toContain('£');
});

test('what comes back is said as such', async () => {
  hold(() => read(), {
    [PRICE]: forId(UUID, () => ({
      data: {
        effective_date: day(0),
        premium_before: 74.48,
        premium_after: 50.12,
        amount_now: -17.5,
        days_left: 265,
        days_in_term: 365,
        plan: null,
      },
    })),
  });
  openChange('?task=level');
  await level(/^Local(?! and)/);
  await shown(/Comes back to you£17\.50/);
});

test('why there is no price is said, and nothing typed is lost', async () => {
  hold(() => read(), { [PRICE]: forId(UUID, () => refuse(422, 'Please call us about this.')) });
  openChange('?task=level');
  await level(/^National and home/);
  await shown(/Please call us about this\./);
  const chosen = screen.getByRole<HTMLInputElement>('radio', { name: /^National and home/ });
  expect(chosen.checked).toBe(true);
});

test('a vehicle more begins with its empty questions', async () => {
  const calls = hold(() => read());
  openChange('?task=add-vehicles');
  const card = within(await screen.findByRole('region', { name: 'Vehicle 2' }));
  expect(card.getByLabelText<HTMLInputElement>(/Registration number/).value).toBe('');
  await shown(/Fill in the rest/);
  expect(sent(calls, PRICE)).toHaveLength(0);
  // The page opens at the new vehicle. The others have one line each.
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Vehicle 2' })),
  );
  expect(screen.queryByRole('heading', { name: 'Vehicle 1' })).toBeNull();
  expect(screen.getByText('Vehicle 1').parentElement?.textContent).toMatch(
    /^Vehicle 1 Car, AB12 CDE/,
  );
  expect(screen.queryByRole('button', { name: /^Edit Details/ })).toBeNull();
});

test('the only vehicle is swapped at once, and the whole form keeps what was typed', async () => {
  hold(() => read());
  openChange('?task=swap-vehicles');
  const plate = await screen.findByLabelText<HTMLInputElement>(/Registration number/);
  await waitFor(() => expect(plate.value).toBe(''));
  await userEvent.type(plate, 'CD34 EFG');
  await userEvent.click(screen.getByRole('button', { name: 'Change anything else' }));
  expect(await screen.findByRole('heading', { name: 'Change your cover', level: 1 })).toBeTruthy();
  expect(screen.getByRole('region', { name: 'About you' })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>(/Registration number/).value).toBe('CD34 EFG');
});
