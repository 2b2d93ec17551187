import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { mutate } from 'swr';
import { afterEach, expect, test, vi } from 'vitest';
import { refuse } from '../../../api/testing';
import { siteWith, UUID } from '../../../testing/data';
import { serve, visit } from '../../../testing/server';
import { PAY, ROUTES, reading } from '../saved/editTesting';

afterEach(async () => {
  await mutate(() => true, undefined, { revalidate: false });
  vi.unstubAllGlobals();
});

test('a shop that can take no payment any more says so where Pay is pressed, and goes on saying it', async () => {
  const sentence = "We can't take a payment online at the moment. Please call us on 0330 123 4567.";
  let providers = ['sandbox'];
  serve(
    {
      'GET /api/v1/site': () => ({ data: siteWith({ providers }) }),
      'POST /api/v1/quote/update-accept/{id}': () => {
        providers = [];
        return refuse(409, sentence, { code: 'no_gateway' });
      },
    },
    reading({ values: { terms_and_conditions: true } }),
  );
  visit(ROUTES, `/quote/edit/${UUID}?step=4`);
  await screen.findByText(/^You pay by card on the next page\./);
  await userEvent.click(await screen.findByRole('button', { name: PAY }));
  await screen.findByText(sentence);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain("We can't take payments online at the moment.");
  expect(screen.queryByText(/You pay by card on the next page/)).toBeNull();
  expect(screen.getByRole('button', { name: PAY })).toBeTruthy();
});
