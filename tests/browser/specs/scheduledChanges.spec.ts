import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { MORNING, setTime } from '../support/clock.ts';
import { long, shownDate, wire } from '../support/dates.ts';
import { press, tabTo, typeInto } from '../support/keyboard.ts';
import { payByCard } from '../support/payment.ts';
import { CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

const DAYS_IN = 40;

// The next test starts in the morning, like all other tests.
test.afterEach(async ({ context, page, shop }) => {
  // An open page would report errors while the shop is closed.
  await page.goto('about:blank');
  await setTime(context, MORNING);
  await shop.openAnew();
});

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const card = (page: Page, name: string | RegExp) => page.getByRole('region', { name });

/** Presses a button of the confirm dialog with this text. */
async function answer(page: Page, dialogText: string | RegExp, button: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(dialogText);
  await press(page, dialog.getByRole('button', { name: button, exact: true }));
  await expect(dialog).toBeHidden();
}

/** Requests key cover from a day on, and opens its price. */
async function priceKeyCover(page: Page, from: string): Promise<void> {
  await press(page, page.getByRole('link', { name: 'Change cover' }));
  await expect(heading(page, 'Change your cover')).toBeVisible();
  await press(page, page.getByRole('button', { name: 'Edit Details Make it yours' }));
  await tabTo(page, page.getByRole('checkbox', { name: 'Key cover' }));
  await page.keyboard.press('Space');
  const start = page.getByRole('group', { name: 'When should this change start?' });
  await tabTo(page, start.getByRole('radio', { name: /^Today/ }));
  await page.keyboard.press('ArrowDown');
  await typeInto(page, page.getByRole('textbox', { name: 'First day of the change' }), from);
  await press(page, page.getByRole('button', { name: 'See the new price' }));
}

test('a change and a cancellation for later days come on their days, and not before', async ({
  page,
  context,
  shop,
  customers,
  mailbox,
}) => {
  test.setTimeout(240_000);
  await setTime(context, MORNING);
  await shop.openInThePast(DAYS_IN + 2);
  const customer = await customers.create({ isPaid: true, values: { start_date: wire(-DAYS_IN) } });
  await shop.openToday();
  await customers.logIn(page, customer);
  const policy = `/policy/view/${customer.quote.uuid}`;
  const summary = page.getByRole('region', { name: 'Your Policy', exact: true });
  const history = card(page, 'History');
  await page.goto(policy);

  // The days of the test, before the clock moves.
  const changes = { eve: shownDate(9), on: shownDate(10), said: long(10) };
  const ends = { on: shownDate(30), said: long(30), after: shownDate(31), back: long(31) };

  /** Opens the shop with its data at another moment, and the policy in it. */
  const moveTo = async (moment: string, day: string) => {
    // An open page would report errors while the shop is closed.
    await page.goto('about:blank');
    await setTime(context, moment);
    await shop.openToday();
    expect(shownDate(0), 'the clock has moved').toBe(day);
    await customers.logIn(page, customer);
    await page.goto(policy);
  };

  await test.step('a day beyond the term is refused where it is typed', async () => {
    await priceKeyCover(page, shownDate(400));
    await expect(page.getByRole('alert', { name: 'There is a problem' })).toBeFocused();
    const box = page.getByRole('textbox', { name: 'First day of the change' });
    await expect(box).toBeInViewport();
    await expectAccessible(page, 'a change for a day beyond the term');
    await typeInto(page, box, changes.on);
    await press(page, page.getByRole('button', { name: 'See the new price' }));
  });

  const paid = await test.step('the price is that of the day, and paid now', async () => {
    await expect(heading(page, 'Your new price')).toBeVisible();
    await expect(
      page.getByText(`From ${changes.said} your cover would be as below; until then it stays as it is.`),
    ).toBeVisible();
    await expect(page.getByText(/^For the 315 of 365 days from/)).toBeVisible();
    await expectAccessible(page, 'the price of a later change');
    const accept = page.getByRole('button', { name: /^Accept and pay £/ });
    const amount = /£[\d.]+/.exec((await accept.textContent()) ?? '')?.[0] ?? '';
    await press(page, accept);
    await expect(page.getByText(`Your cover changes on ${changes.said}, once it is paid.`)).toBeVisible();
    await payByCard(page, CARDS.paid, 'change');
    await expect(heading(page, 'Your change is agreed')).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText(`From ${changes.said} your cover is as below.`)).toBeVisible();
    await expectAccessible(page, 'a change that is agreed');
    await press(page, page.getByRole('link', { name: 'View your policy' }));
    return amount;
  });

  const scheduledChange = card(page, `Coming change: from ${changes.said}`);
  await test.step('until then it is shown as coming, and no other is offered', async () => {
    await expect(scheduledChange).toContainText('Key cover: No → Yes');
    await expect(scheduledChange).toContainText(`You paid ${paid}.`);
    await expect(summary).not.toContainText('Key cover');
    await expect(page.getByRole('link', { name: 'Change cover' })).toBeHidden();
    await expectAccessible(page, 'a policy with a change to come');
    await page.goto(`/quote/edit/${customer.quote.uuid}`);
    await expect(heading(page, 'A change is coming already')).toBeVisible();
    await press(page, page.getByRole('link', { name: 'View your policy' }));
  });

  await test.step('it is withdrawn, and what was paid comes back', async () => {
    const withdraw = scheduledChange.getByRole('button', { name: 'Withdraw this change' });
    await press(page, withdraw);
    await expectAccessible(page, 'the question before a change is withdrawn');
    await answer(page, `the ${paid} you paid comes back to the card that paid`, 'Keep this change');
    await expect(withdraw).toBeFocused();
    await page.keyboard.press('Enter');
    await answer(page, `the ${paid} you paid comes back to the card that paid`, 'Withdraw this change');
    await expect(card(page, 'Your change is withdrawn')).toContainText(paid);
    await expect(scheduledChange).toBeHidden();
    await expect(history).toContainText(`For ${changes.on}, withdrawn`);
    await expect(history).toContainText(`${paid} was paid back to you.`, { timeout: 20_000 });
  });

  await test.step('it is agreed again, and not yet made on the day before', async () => {
    await priceKeyCover(page, changes.on);
    await press(page, page.getByRole('button', { name: `Accept and pay ${paid}` }));
    await payByCard(page, CARDS.paid, 'change');
    await expect(heading(page, 'Your change is agreed')).toBeVisible({ timeout: 30_000 });
    const letter = await mailbox.letter(customer.email, /changes on a later day/);
    expect(letter).toContain(paid.slice(1));
    await moveTo('2026-11-30T23:30:00Z', changes.eve);
    await expect(scheduledChange).toBeVisible();
    await expect(summary).not.toContainText('Key cover');
  });

  await test.step('on its day it is made', async () => {
    await moveTo('2026-12-01T00:30:00Z', changes.on);
    await expect(scheduledChange).toBeHidden();
    await expect(summary).toContainText('Key cover');
    await expect(history).toContainText(`From ${changes.on}`);
    await mailbox.letter(customer.email, /has changed/);
    await expect(page.getByRole('link', { name: 'Change cover' })).toBeVisible();
  });

  const panel = card(page, 'Cancel your cover');
  const ending = card(page, `Your cover ends on ${ends.said}`);
  const cancelLater = async () => {
    await press(page, page.getByRole('button', { name: 'Cancel cover' }));
    await tabTo(page, panel.getByRole('radio', { name: /^Today/ }));
    await page.keyboard.press('ArrowDown');
    await typeInto(page, panel.getByRole('textbox', { name: 'Last day of your cover' }), ends.on);
    await expect(panel).toContainText(`Sent back to the card that paid on ${ends.back}`);
    const figure = panel.getByRole('status').filter({ hasText: ends.back });
    await expect(figure).toHaveText(/^£\d+\.\d\d is sent back to the card that paid/);
    const refund = /£[\d.]+/.exec((await figure.textContent()) ?? '')?.[0] ?? '';
    await tabTo(page, panel.getByLabel('Why would you like to cancel?'));
    await page.keyboard.press('ArrowDown');
    await press(page, panel.getByRole('button', { name: 'Cancel my cover' }));
    return refund;
  };

  const refund = await test.step('a cancellation for a later day shows the figure of that day', async () => {
    const amount = await cancelLater();
    await expectAccessible(page, 'the question before a later cancellation');
    await answer(page, `Your cover ends on ${ends.said}, at the end of the day. ${amount}`, 'Cancel my cover');
    await expect(ending).toContainText(amount);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await expectAccessible(page, 'a policy that is to end');
    await page.goto('/dashboard');
    await expect(page.getByText(`Ends on ${ends.said}.`)).toBeVisible();
    await page.goto(policy);
    return amount;
  });

  await test.step('it is taken back, and the cover goes on', async () => {
    const keepButton = ending.getByRole('button', { name: 'Keep my cover' });
    await press(page, keepButton);
    await answer(page, 'Are you sure you wish to keep your cover?', 'Keep my cover');
    await expect(card(page, 'You keep your cover')).toBeVisible();
    await expect(ending).toBeHidden();
    await expect(history).toContainText(`Cancellation for ${ends.on}, withdrawn`);
  });

  await test.step('asked for again, the cover lasts to the end of its last day', async () => {
    expect(await cancelLater()).toBe(refund);
    await answer(page, ends.said, 'Cancel my cover');
    await expect(ending).toBeVisible();
    const letter = await mailbox.letter(customer.email, /ends on the day you chose/);
    expect(letter).toContain(refund.slice(1));
    await moveTo('2026-12-21T23:30:00Z', ends.on);
    await expect(ending).toBeVisible();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
  });

  await test.step('then it is cancelled, and the figure that was shown is paid back', async () => {
    await moveTo('2026-12-22T00:30:00Z', ends.after);
    await expect(page.getByText('Cancelled', { exact: true })).toBeVisible();
    const details = card(page, 'Cancellation');
    await expect(details).toContainText(ends.said);
    await expect(details).toContainText(refund);
    await expect(details).toContainText('It was paid back to you. Your bank may need a few working days to show it.', { timeout: 20_000 });
    await expectAccessible(page, 'a policy that has ended on its day');
    const letter = await mailbox.letter(customer.email, /is cancelled/);
    expect(letter).toContain(refund.slice(1));
  });
});
