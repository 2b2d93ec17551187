import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { forId, sent } from '../../../api/testing';
import { saveToken } from '../../../lib/storage/tokens';
import { FIGURES, siteWith, UUID, updatedQuote } from '../../../testing/data';
import { serve, show } from '../../../testing/server';
import { PAY, quote, ROUTES, reading } from '../saved/editTesting';

const ACCEPT = 'POST /api/v1/quote/update-accept/{id}';

const SAVING = {
  'PUT /api/v1/quote/{id}': forId(UUID, () => ({ data: updatedQuote(UUID) })),
  [ACCEPT]: forId(UUID, () => ({
    data: { uuid: UUID, amount_due: 48.16, revision_id: 2, plan: null },
  })),
};

const LABEL = 'Renew my cover by itself each year';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('is asked before paying, unticked, with what it means', async () => {
  saveToken(UUID, 'secret');
  const calls = serve(SAVING, reading());
  const user = userEvent.setup();
  show(ROUTES, `/quote/edit/${UUID}?step=4`);
  const checkbox = await screen.findByRole<HTMLInputElement>('checkbox', { name: LABEL });
  expect(checkbox.checked).toBe(false);
  const meaning = document.getElementById(checkbox.getAttribute('aria-describedby') ?? '');
  expect(meaning?.textContent).toContain('we charge that price to the card you pay with now');
  expect(meaning?.textContent).toContain('You can switch this off with one press');
  expect(meaning?.textContent).toContain('About four weeks before your cover ends');
  await user.click(checkbox);
  await user.click(screen.getByRole('checkbox', { name: /terms and conditions/ }));
  await user.click(screen.getByRole('button', { name: PAY }));
  await screen.findByText('Payment page');
  expect(sent(calls, ACCEPT)[0]?.body).toMatchObject({ auto_renew: true });
});

test.each([true, false])(
  'shows what was agreed last (%s), and pays with what is shown',
  async (agreed) => {
    saveToken(UUID, 'secret');
    const calls = serve(SAVING, {
      'GET /api/v2/public/quote/read/{id}': forId(UUID, () => ({
        data: { ...quote(), auto_renew: agreed },
      })),
    });
    const user = userEvent.setup();
    show(ROUTES, `/quote/edit/${UUID}?step=4`);
    const checkbox = await screen.findByRole<HTMLInputElement>('checkbox', { name: LABEL });
    expect(checkbox.checked).toBe(agreed);
    await user.click(checkbox);
    await user.click(screen.getByRole('checkbox', { name: /terms and conditions/ }));
    await user.click(screen.getByRole('button', { name: PAY }));
    await screen.findByText('Payment page');
    expect(sent(calls, ACCEPT)[0]?.body).toMatchObject({ auto_renew: !agreed });
  },
);

test('is not asked for a single trip, which never renews', async () => {
  const trip = quote();
  const price = { ...FIGURES, per: 'trip' as const };
  serve({
    'GET /api/v2/public/quote/read/{id}': forId(UUID, () => ({
      data: { ...trip, info: { ...trip.info, price } },
    })),
  });
  show(ROUTES, `/quote/edit/${UUID}?step=4`);
  const total = (await screen.findByText('To pay')).parentElement as HTMLElement;
  expect(within(total).getByText('/trip')).toBeTruthy();
  expect(screen.queryByRole('checkbox', { name: LABEL })).toBeNull();
});

test('is not asked where no gateway could charge the card again', async () => {
  serve({ 'GET /api/v1/site': () => ({ data: siteWith({ renews_by_card: false }) }) }, reading());
  show(ROUTES, `/quote/edit/${UUID}?step=4`);
  const total = (await screen.findByText('To pay')).parentElement as HTMLElement;
  expect(within(total).getByText('/year')).toBeTruthy();
  expect(screen.queryByRole('checkbox', { name: LABEL })).toBeNull();
});
