import { bringAlong } from '../support/calls.ts';
import { type Customers, LINKS } from '../support/customers.ts';
import { wire } from '../support/dates.ts';
import { agreeToGadget, fillGadget, toStep } from '../support/gadget.ts';
import { payByCard } from '../support/payment.ts';
import { ANN, CAR, CARDS, VAN } from '../support/people.ts';
import { lookAt } from '../support/screens.ts';
import type { Shop } from '../support/shop.ts';
import { expect, test } from '../support/test.ts';

// Opens every page once, and checks it at each width and setting.
test.describe.configure({ timeout: 300_000 });

/** A car in a request. */
const SENT = {
  vehicle_type: 1,
  vehicle_registration: CAR.registration,
  vehicle_registration_date: '14.04.2021',
};

/** Makes a customer whose car cover has three weeks left, so that its renewal is quoted. */
async function renewing(shop: Shop, customers: Customers) {
  await shop.openInThePast(345);
  const customer = await customers.create({
    isPaid: true,
    values: { start_date: wire(-343), cover_type: 2 },
    vehicles: [SENT],
  });
  await shop.openToday();
  return customer;
}

test.describe('every page fits every screen', () => {
  test('of a visitor', async ({ page, complaints, customers, mailbox, account }) => {
    complaints.tolerate(/status of 404 .* \/(no-such-page|aggregator\/|api\/)/);
    complaints.tolerate(/status of 40[14] /);
    for (const [name, path] of [
      ['the first page', '/'],
      ['the portal of nobody', '/portal'],
      ['broken down', '/broken-down'],
      ['a forgotten password', '/retrieve-password'],
      ['a dead link', '/reset-password?aid=none'],
      ['an address to confirm', '/confirm-email#none'],
      ['no rescue card', '/rescue-card'],
      ['no such page', '/no-such-page'],
      ['a link of nobody', '/aggregator/00000000-0000-4000-8000-000000000001'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await lookAt(page, name);
    }
    await account.openLogin();
    await lookAt(page, 'the log-in');

    const { email } = await customers.create();
    await page.request.post('/api/v1/retrieve-password-request', { data: { username: email } });
    await mailbox.letter(email, /^Reset your /);
    await page.goto(await mailbox.link(email, LINKS.password));
    await expect(page.getByRole('region', { name: 'Reset password' })).toBeVisible();
    await lookAt(page, 'a new password');
  });

  test('of a quote', async ({ page, form }) => {
    await form.open('/breakdown/vehicle');
    await form.expectRefusal();
    await lookAt(page, 'step one with errors');
    await form.choose('How much cover do you need?', 'European');
    await form.premium();
    await lookAt(page, 'step one');
    await form.goOn('Your details');
    await lookAt(page, 'step two');
    await form.expectRefusal();
    await lookAt(page, 'step two with errors');
    await form.fillPolicyholder();
    await form.fillVehicle(1, CAR);
    await form.addAnother.first().click();
    await form.fillVehicle(2, VAN);
    await form.goOn('Options');
    await lookAt(page, 'step three');
  });

  test('of a saved quote and its payment', async ({ page, calls, form, complaints }) => {
    complaints.tolerate(/status of 422 .* \/gateway\/sandbox\/pay\//);
    const quote = await calls.createQuote({
      values: { cover_level: 1, cover_type: 2, first_name: 'Wolfeschlegelsteinhausen', email_primary: 'wolfeschlegelsteinhausen.bergerdorff@a-rather-long-name.example.org' },
      vehicles: [SENT, { ...SENT, vehicle_registration: VAN.registration }],
    });
    await bringAlong(page, quote);
    await form.open(`/quote/edit/${quote.uuid}?step=4`);
    await lookAt(page, 'step four');
    await calls.accept(quote);
    await page.goto(`/payment/${quote.uuid}`);
    const frame = page.getByTitle('Card payment').contentFrame();
    await expect(frame.getByLabel('Card number')).toBeVisible();
    await lookAt(page, 'the payment');
    await page.route('**/api/v1/payment/*', async (route) => {
      const response = await route.fetch();
      if (!response.ok()) return route.fulfill({ response });
      const { data } = (await response.json()) as { data: object };
      return route.fulfill({ response, json: { data: { ...data, status: 'processing', policy: false } } });
    });
    await page.goto(`/payment/processing/${quote.uuid}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await lookAt(page, 'the wait for the bank');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await calls.payFor(quote, CARDS.declined);
    await page.goto(`/payment/failure/${quote.uuid}`);
    await expect(page.getByRole('link', { name: 'Try again' })).toBeVisible();
    await lookAt(page, 'a payment that failed');
    await calls.payFor(quote, CARDS.paid);
    await page.goto(`/payment/success/${quote.uuid}`);
    await expect(page.getByRole('link', { name: 'View your policy' })).toBeVisible();
    await expect(page.getByText('on its way')).toHaveCount(0);
    await lookAt(page, 'a payment that succeeded');
    await page.getByRole('button', { name: 'Keep this on my phone' }).click();
    await expect(page).toHaveURL(/\/rescue-card$/);
    await lookAt(page, 'the rescue card');
    await page.goto(`/policy/view/${quote.uuid}`);
    await expect(page.getByRole('heading', { name: `Policy ID: ${quote.customId}` })).toBeVisible();
    await lookAt(page, 'a policy without its account');
  });

  test('of an account and its policies', async ({ page, shop, account, calls, customers }) => {
    const customer = await renewing(shop, customers);
    const own = await customers.logIn(page, customer);
    await page.goto('/dashboard?tab=quotes');
    await lookAt(page, 'no quotes');
    for (let n = 0; n < 12; n += 1) {
      await own.createQuote({ values: { cover_level: 1 + (n % 4), start_date: wire(n + 2) } });
    }
    const second = await calls.createQuote({ values: { cover_level: 4, email_primary: customer.email } });
    await calls.payFor(second, CARDS.paid);
    await page.goto('/dashboard');
    await expect(page.getByRole('region', { name: 'Ready to renew' })).toBeVisible();
    await lookAt(page, 'the account');
    await account.details.getByRole('button', { name: 'Edit your details' }).click();
    await lookAt(page, 'the account, details edited');
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Change Password' }).click();
    await lookAt(page, 'the account, another password');
    for (const tab of ['Policies', 'Quotes', 'Renewal Quotes'] as const) {
      await page.goto('/dashboard');
      await account.tab(tab).click();
      await expect(page.getByRole('heading', { name: tab, level: 1 })).toBeVisible();
      if (tab === 'Quotes') await page.getByRole('button', { name: 'Filter' }).click();
      await lookAt(page, `the account, ${tab}`);
    }
    await page.goto('/portal');
    await expect(page.getByRole('heading', { name: 'Hello Ann', level: 1 })).toBeVisible();
    await lookAt(page, 'the portal');

  });

  test('of a policy and its changes', async ({ page, shop, customers }) => {
    const customer = await renewing(shop, customers);
    await customers.logIn(page, customer);
    const policy = `/policy/view/${customer.quote.uuid}`;
    await page.goto(policy);
    await expect(page.getByRole('region', { name: 'Your renewal' })).toBeVisible();
    await lookAt(page, 'a policy with its renewal');
    await page.getByRole('button', { name: 'Cancel cover' }).click();
    await expect(page.getByRole('region', { name: 'Cancel your cover' }).getByRole('row').first()).toBeVisible();
    await lookAt(page, 'a policy, cancelling');
    for (const task of ['Add a vehicle', 'Swap a vehicle', 'Move house', 'Change level', 'Change cover']) {
      await page.goto(policy);
      await page.getByRole('link', { name: task }).click();
      await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Policy ID');
      await lookAt(page, `a change, ${task}`);
    }
    await page.goto(policy);
    await page.getByRole('link', { name: 'Change level' }).click();
    await page.getByRole('group', { name: 'How much cover do you need?' }).getByRole('radio', { name: /^National and home/ }).check();
    await page.getByRole('button', { name: 'See the new price' }).click();
    await expect(page.getByRole('heading', { name: 'Your new price', level: 1 })).toBeVisible();
    await lookAt(page, 'a change, its price');
    await page.goto(policy);
    await page.getByRole('link', { name: 'Renew now' }).click();
    await expect(page.getByRole('button', { name: /^Pay/ }).first()).toBeVisible();
    await lookAt(page, 'a renewal before it is paid');
  });

  test('of a plan, from the choice to a payment that failed', async ({ page, shop, form, calls, customers }) => {
    const quote = await calls.createQuote();
    await bringAlong(page, quote);
    await form.open(`/quote/edit/${quote.uuid}?step=4`);
    await page.getByRole('radio', { name: /^Pay monthly: / }).check();
    await lookAt(page, 'step four, paid monthly');
    await shop.openInThePast(40);
    const customer = await customers.create({
      isPaid: true,
      isMonthly: true,
      card: CARDS.declinedLater,
      values: { start_date: wire(-39) },
    });
    await shop.openToday();
    await customers.logIn(page, customer);
    // The shop charges the card soon after its start.
    await expect(async () => {
      await page.goto('/dashboard');
      const notice = page.getByRole('alert').filter({ hasText: 'A monthly payment is unpaid' });
      await expect(notice).toBeVisible({ timeout: 3_000 });
    }).toPass({ timeout: 30_000 });
    await lookAt(page, 'the account after a failed payment');
    await page.goto('/dashboard?tab=payments');
    await page.getByText('All 12 payments').click();
    await lookAt(page, 'the account, Payments');
    await page.goto(`/policy/view/${customer.quote.uuid}#payments`);
    await expect(page.getByRole('region', { name: 'Monthly payments' })).toBeVisible();
    await lookAt(page, 'a policy after a failed payment');
    await page.getByRole('link', { name: /^Pay £.* now$/ }).first().click();
    await expect(page.getByText(/^Monthly payment of /).first()).toBeVisible();
    await lookAt(page, 'the payment of what is due');
  });

  test('of gadget cover', async ({ page, form }) => {
    await form.open('/cover/gadget');
    await lookAt(page, 'gadgets, the start');
    await fillGadget(form);
    await toStep(form, 20);
    await lookAt(page, 'gadgets, who');
    await form.fillPolicyholder();
    await toStep(form, 30);
    await lookAt(page, 'gadgets, options');
    await toStep(form, 40);
    await lookAt(page, 'gadgets, before paying');
    await agreeToGadget(form);
    await form.pay.click();
    await payByCard(page, CARDS.paid);
    await page.getByRole('link', { name: 'View your policy' }).click();
    await expect(page.getByRole('heading', { name: /^Policy ID: GAD\d{9}$/ })).toBeVisible();
    await lookAt(page, 'gadgets, the policy');
    await expect(form.card('Policyholder')).toContainText(ANN.last);
  });
});
