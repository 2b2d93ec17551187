import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { StoredCard } from '../../../api/policies/plans';
import type { PolicyPlan } from '../../../api/policies/policyTypes';
import { refuse, type Server, sent } from '../../../api/testing';
import { formatDate, formatLongDate } from '../../../lib/dates/dates';
import { UUID } from '../../../testing/data';
import { plan, storedCard, unpaidPlan } from '../../../testing/plan';
import { day, forgetAll, read, term } from '../../../testing/policy';
import { serve, visit } from '../../../testing/server';
import { account, row } from '../list/testing';
import PaymentsScreen from './PaymentsScreen';

const CARDS = 'GET /api/v1/profile/cards';
const REMOVE = 'POST /api/v1/profile/cards/{id}/remove';
const READ = 'GET /api/v2/policy/read/{id}';
const REFERENCE = 'BRK100000001';

interface Shop {
  plan?: PolicyPlan | null;
  cards?: StoredCard[];
}

/** Starts a server whose customer has one policy, with these payments and cards. */
function start({ plan: own = plan(), cards = [storedCard()] }: Shop, more: Server = {}) {
  const items = [row(1, { policy_uuid: UUID, custom_id: REFERENCE })];
  return serve(more, {
    ...account(() => items),
    [CARDS]: () => ({ data: cards }),
    [READ]: () => ({ data: read(term({ plan: own })) }),
  });
}

const open = () => visit({ '/': <PaymentsScreen />, '/payment/:id': <p>Payment page</p> }, '/');
const policy = () => screen.findByRole('region', { name: `Breakdown ${REFERENCE}` });
const cardsPanel = () => screen.findByRole('region', { name: 'Stored cards' });

afterEach(forgetAll);

test('a plan says what is paid, what is due next and on which card', async () => {
  start({});
  open();
  const panel = within(await policy());
  const next = `£5.00 is due on ${formatLongDate(day(20))}. We charge it to Visa ending 4242.`;
  await panel.findByText(next);
  panel.getByText('£10.00 in 2 of 4 payments');
  panel.getByText('Visa ending 4242, valid until December 2034');
  const states = within(panel.getByRole('list')).getAllByRole('listitem');
  expect(states.map((item) => /Paid [\d/]+|To come/.exec(item.textContent ?? '')?.[0])).toEqual([
    `Paid ${formatDate(day(-40))}`,
    `Paid ${formatDate(day(-9))}`,
    'To come',
    'To come',
  ]);
  expect(panel.queryByRole('link', { name: /now$/ })).toBeNull();
  const rest = panel.getByRole('link', { name: 'Pay the rest, £10.00' });
  expect(rest.getAttribute('href')).toBe(`/payment/${UUID}?plan=rest`);
});

test('a failed payment is said first, with each way to pay', async () => {
  start({ plan: unpaidPlan() });
  open();
  const panel = within(await policy());
  const alert = await panel.findByRole('alert');
  expect(alert.textContent).toMatch(
    /A monthly payment is unpaid.*£5.00 is due.*Your policy goes on/,
  );
  expect(alert.textContent).toContain('MoneyHelper');
  const pages = panel.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(pages).toEqual([
    `/policy/view/${UUID}`,
    `/payment/${UUID}?plan=due`,
    `/payment/${UUID}?plan=due&keep=1`,
    `/payment/${UUID}?plan=rest`,
  ]);
});

test('a notice says the last day of cover and what stops it', async () => {
  start({ plan: unpaidPlan({ status: 'notice', last_day: day(12) }) });
  open();
  const alert = await within(await policy()).findByRole('alert');
  const last = formatLongDate(day(12));
  expect(alert.textContent).toContain(`Your cover ends on ${last} unless you pay`);
  expect(alert.textContent).toContain(`If you pay it by the end of ${last}, your cover goes on.`);
});

test('without a card nobody is told that one is charged', async () => {
  start({ plan: plan({ card_id: null }), cards: [] });
  open();
  const panel = within(await policy());
  await panel.findByText(/We have no card to charge for it. Please add one/);
  const add = panel.getByRole('link', { name: 'Add a card' });
  expect(add.getAttribute('href')).toBe(`/payment/${UUID}?plan=due&keep=1`);
  await within(await cardsPanel()).findByText(/^No card is stored/);
});

test('another card pays the next payment, unless that is the last or the policy ends', async () => {
  start({ plan: plan() });
  open();
  const panel = within(await policy());
  const change = await panel.findByRole('link', { name: 'Change the card' });
  expect(change.getAttribute('href')).toBe(`/payment/${UUID}?plan=due&keep=1`);
  panel.getByText(/A new card pays your next payment of £5.00 now/);
});

test('a policy that was paid at once says what is paid', async () => {
  start({ plan: null });
  open();
  const panel = within(await policy());
  await panel.findByText('£74.48');
  panel.getByText(formatLongDate(`${day(-101)}T12:00:00Z`));
});

test('the question before a card is removed says what stops and what still falls due', async () => {
  const renewing = { uuid: UUID, reference: REFERENCE, renews: true, pays_plan: true };
  let cards = [storedCard({ policies: [renewing] })];
  const calls = start(
    {},
    {
      [CARDS]: () => ({ data: cards }),
      [REMOVE]: () => {
        cards = [];
        return { data: { stops: [renewing], is_charging: true } };
      },
    },
  );
  open();
  const panel = within(await cardsPanel());
  await panel.findByText(/Pays monthly for, and at the renewal of,/);
  const remove = panel.getByRole('button', { name: 'Remove card: Visa ending 4242' });
  await userEvent.click(remove);
  const dialog = await screen.findByRole('dialog', { name: 'Remove this card' });
  const question = dialog.textContent;
  expect(question).toContain(`Policy ${REFERENCE} does not renew by itself any more.`);
  expect(question).toContain(`The monthly payments of policy ${REFERENCE} still fall due.`);
  expect(question).toContain(`The next one is £5.00 on ${formatLongDate(day(20))}.`);
  expect(question).toContain('A charge that has already begun may still be made, once.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Keep card' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent(calls, REMOVE)).toHaveLength(0);

  await userEvent.click(remove);
  const again = within(await screen.findByRole('dialog'));
  await userEvent.click(again.getByRole('button', { name: 'Remove card' }));
  const result = (await panel.findByText('Visa ending 4242 is removed.')).parentElement;
  expect(result?.textContent).toContain('It is made once, or not at all.');
  expect(result?.textContent).toContain('still fall due');
  expect(document.activeElement).toBe(result);
  await panel.findByText(/^No card is stored/);
});

test('a card that another tab removed is not said to be removed now', async () => {
  let cards = [storedCard()];
  start(
    {},
    {
      [CARDS]: () => ({ data: cards }),
      [REMOVE]: () => {
        cards = [];
        return refuse(404, 'Not found');
      },
    },
  );
  open();
  const panel = within(await cardsPanel());
  await userEvent.click(await panel.findByRole('button', { name: /^Remove card/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Remove card' }));
  await panel.findByText('Visa ending 4242 was removed before.');
});

test('a card is not removed if what stops could not be read', async () => {
  let failing = false;
  const calls = start({}, { [READ]: () => (failing ? refuse(503, 'Busy') : undefined) });
  open();
  const panel = within(await cardsPanel());
  await panel.findByText(/Pays the monthly payments of/);
  failing = true;
  await userEvent.click(panel.getByRole('button', { name: /^Remove card/ }));
  await panel.findByText('The card was not removed. Busy');
  expect(sent(calls, REMOVE)).toHaveLength(0);
});

test('the consent is there on demand, and a card without digits says when it was stored', async () => {
  start({ cards: [storedCard({ brand: null, last_four: null, expiry: null })] });
  open();
  const panel = within(await cardsPanel());
  await panel.findByRole('heading', { name: 'Stored card' });
  panel.getByText(/^Stored 21\/11\/2026/);
  await userEvent.click(panel.getByText('What was agreed'));
  panel.getByText('We charge each later payment to this card.');
});

test('nothing that could not be loaded is said to be nothing', async () => {
  serve({
    ...account(() => []),
    'GET /api/v2/policy/list': () => refuse(400, 'No'),
    [CARDS]: () => refuse(400, 'No'),
  });
  open();
  await screen.findByText('Your payments could not be loaded.');
  await screen.findByText('Your cards could not be loaded.');
  expect(document.body.textContent).not.toMatch(/No card is stored|no policy yet/);
});

test('a customer without a policy is offered a quote', async () => {
  serve({ ...account(() => []), [CARDS]: () => ({ data: [] }) });
  open();
  await screen.findByText('You have no policy yet, so there is nothing to pay.');
  screen.getByRole('link', { name: 'Get a quote' });
});
