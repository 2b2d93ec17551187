import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { forId, sent } from '../../../api/testing';
import type { CoverExclusion, Product } from '../../../api/types';
import { saveToken } from '../../../lib/storage/tokens';
import { FIGURES, UUID, updatedQuote } from '../../../testing/data';
import { PRODUCT } from '../../../testing/products/product';
import { serve, show } from '../../../testing/server';
import { PAY, quote, ROUTES, reading } from '../saved/editTesting';

const ACCEPT = 'POST /api/v1/quote/update-accept/{id}';
const SAVE = 'PUT /api/v1/quote/{id}';

const EXCLUSIONS: CoverExclusion[] = [
  {
    id: 'at_home',
    title: 'Help at home',
    text: "We don't come to your home.",
    instead: 'Call a garage.',
    section: 'Home cover',
    when: { field: 'cover_level', is: 3 },
    fixes: [
      { when: { field: 'cover_level', is: 1 }, answers: {}, button: 'Not this', text: '' },
      { answers: { cover_level: 4 }, button: 'Change to National and home', text: 'We come.' },
    ],
  },
  {
    id: 'mot',
    title: 'No MOT',
    text: "We don't help without an MOT.",
    instead: 'Check its date.',
    section: 'What is not covered',
    fixes: [],
  },
  {
    id: 'tow',
    title: 'A long tow',
    text: 'We tow ten miles.',
    instead: 'Buy more.',
    section: 'Local cover',
    when: { field: 'cover_level', is: 1 },
    fixes: [],
  },
];

const product: Product = { ...PRODUCT, info: { ...PRODUCT.info, exclusions: EXCLUSIONS } };

/**
 * Starts a server whose levels each cost ten pounds more than the level before. National costs the
 * price of the quote.
 */
function selling() {
  saveToken(UUID, 'secret');
  let due = 48.16;
  return serve(
    {
      'GET /api/v2/openapi/product/{id}': () => product,
      'POST /api/v1/price': ({ body }) => {
        const level = Number(body.product.values?.cover_level);
        return { data: { figures: { ...FIGURES, amount_total: 18.16 + level * 10 } } };
      },
      [SAVE]: forId(UUID, ({ body }) => {
        due = 18.16 + Number(body.product.values?.cover_level) * 10;
        return { data: updatedQuote(UUID) };
      }),
      [ACCEPT]: forId(UUID, ({ body }) => ({
        data: {
          uuid: UUID,
          amount_due: due,
          revision_id: body.revision_id ?? 1,
          plan: null,
        },
      })),
    },
    reading(),
  );
}

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

const list = () => screen.findByRole('region', { name: 'What your cover would not do' });
const answer = (title: string, name: string) =>
  within(screen.getByRole('group', { name: `${title}: does this matter to you?` })).getByRole(
    'button',
    { name },
  );
const pay = async () => {
  await userEvent.click(screen.getByRole('checkbox', { name: /terms and conditions/ }));
  await userEvent.click(screen.getByRole('button', { name: PAY }));
  await screen.findByText('Payment page');
};

test('only the exclusions of the chosen cover are listed, and nobody has to answer', async () => {
  const calls = selling();
  show(ROUTES, `/quote/edit/${UUID}?step=4`);
  const texts = within(await list())
    .getAllByRole('heading', { level: 3 })
    .map((each) => each.textContent);
  expect(texts).toEqual(['Help at home', 'No MOT']);
  await pay();
  expect(sent(calls, ACCEPT)[0]?.body).toMatchObject({ exclusions: {} });
});

test('an answer is kept with the sale, and can be taken back', async () => {
  const calls = selling();
  show(ROUTES, `/quote/edit/${UUID}?step=4`);
  await list();
  expect(screen.queryByText('Check its date.')).toBeNull();
  await userEvent.click(answer('No MOT', 'Yes'));
  expect(screen.getByText('Check its date.')).toBeTruthy();
  await userEvent.click(answer('Help at home', 'Yes'));
  await userEvent.click(answer('Help at home', 'Yes'));
  expect(answer('Help at home', 'Yes').getAttribute('aria-pressed')).toBe('false');
  await pay();
  expect(sent(calls, ACCEPT)[0]?.body).toMatchObject({ exclusions: { mot: true } });
});

test('a level that closes an exclusion says what it costs, and is one press away and back', async () => {
  const calls = selling();
  show(ROUTES, `/quote/edit/${UUID}?step=4`);
  const region = within(await list());
  expect(await region.findByText('£10.00 more a year.')).toBeTruthy();
  await userEvent.click(region.getByRole('button', { name: /^Change to National and home/ }));
  const status = region.getByRole('status');
  expect(status.textContent).toContain('Help at home: covered now. We come.');
  expect(document.activeElement).toBe(status);
  expect(region.queryByRole('group', { name: /^Help at home/ })).toBeNull();
  await userEvent.click(region.getByRole('button', { name: 'Undo' }));
  expect(region.queryByRole('status')).toBeNull();
  await userEvent.click(region.getByRole('button', { name: /^Change to National and home/ }));
  await userEvent.click(screen.getByRole('checkbox', { name: /terms and conditions/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Pay £58.16 now' }));
  await screen.findByText('Payment page');
  expect(sent(calls, SAVE)[0]?.body.product.values).toMatchObject({ cover_level: 4 });
  expect(sent(calls, ACCEPT)[0]?.body).toMatchObject({ exclusions: { at_home: true } });
});

test('"No" puts the offer away', async () => {
  selling();
  show(ROUTES, `/quote/edit/${UUID}?step=4`);
  const region = within(await list());
  await userEvent.click(answer('Help at home', 'No'));
  expect(region.queryByRole('button', { name: /^Change to/ })).toBeNull();
});

test('what was said before is there again', async () => {
  saveToken(UUID, 'secret');
  const before = { ...quote(), exclusion_answers: { mot: false } };
  serve({
    'GET /api/v2/openapi/product/{id}': () => product,
    'GET /api/v2/public/quote/read/{id}': forId(UUID, () => ({ data: before })),
  });
  show(ROUTES, `/quote/edit/${UUID}?step=4`);
  await list();
  expect(answer('No MOT', 'No').getAttribute('aria-pressed')).toBe('true');
});
