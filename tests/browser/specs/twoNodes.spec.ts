import { download, textOf } from '../support/pdf.ts';
import { bringAlong } from '../support/calls.ts';
import { expectSuccess } from '../support/payment.ts';
import { expect } from '../support/test.ts';
import { test } from '../support/twoNodes.ts';

test.beforeEach(({ database }) => {
  test.skip(database.url === '', database.reason);
});

test('a purchase is finished, and charged once, although the shop it was begun at is killed before the gateway calls', async ({
  page,
  calls,
  form,
  nodes,
  balancer,
  takings,
}) => {
  const quote = await calls.createQuote();
  await bringAlong(page, quote);
  await test.step('the quote is accepted, and the visitor sent to the gateway', async () => {
    await form.open(`/quote/edit/${quote.uuid}?step=last`);
    await page.getByRole('checkbox', { name: /^I agree to the statements above/ }).check();
    await form.pay.click();
    await expect(page).toHaveURL(`/payment/${quote.uuid}`);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(page.getByRole('heading', { name: "A stand-in for Stripe's page" })).toBeVisible();
    expect(new Set(balancer.forwarded.map(({ node }) => node)), 'both were at work').toEqual(
      new Set([0, 1]),
    );
  });

  const killed = balancer.whoAnswered('POST', /\/gateway\/stripe\/initiate$/);
  const survivor = 1 - killed;
  await nodes[killed]?.kill();
  const before = balancer.forwarded.length;

  await test.step('the card pays, and the gateway calls the other shop', async () => {
    await page.getByRole('button', { name: /^Pay £/ }).click();
    await expectSuccess(page);
    expect(balancer.ready).toEqual([survivor]);
    expect(balancer.whoAnswered('POST', /\/gateway\/stripe\/callback$/)).toBe(survivor);
    const laterCalls = balancer.forwarded.slice(before);
    expect(laterCalls.every(({ node }) => node === survivor), 'nobody asked the dead').toBe(true);
  });

  await test.step('the policy has its documents', async () => {
    const card = page.getByRole('region', { name: 'Your documents' });
    const schedule = card.getByRole('button', { name: /^Policy Schedule/ });
    await expect(schedule).toBeVisible({ timeout: 40_000 });
    const { pdf } = await download(page, schedule);
    expect(await textOf(pdf)).toContain(quote.customId);
    await page.getByRole('link', { name: 'View your policy' }).first().click();
    await expect(page).toHaveURL(`/policy/view/${quote.uuid}`);
  });

  await test.step('the card was charged once', async () => {
    const payments = await takings.payments();
    expect(payments.map(({ status }) => status)).toEqual(['succeeded']);
    expect(payments[0]?.amount_received).toBeGreaterThan(0);
    expect(await takings.refunds()).toEqual([]);
  });
});
