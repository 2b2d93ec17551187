import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong } from '../support/calls.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

test('a bank that answers late is waited for', async ({ page, calls }) => {
  const quote = await calls.createQuote();
  await calls.accept(quote);
  await bringAlong(page, quote);

  // However quick the machine is, the bank answers once the waiting page has been looked at.
  let waiting = true;
  await page.route('**/api/v1/payment/*', async (route) => {
    const response = await route.fetch();
    if (!waiting || !response.ok()) return route.fulfill({ response });
    const { data } = (await response.json()) as { data: object };
    return route.fulfill({
      response,
      json: { data: { ...data, status: 'processing', policy: false } },
    });
  });

  await page.goto(`/payment/${quote.uuid}`);
  await payByCard(page, CARDS.late);
  await expect(
    page.getByRole('heading', { name: 'Confirming your payment', level: 1 }),
  ).toBeVisible();
  await expect(page).toHaveURL(`/payment/processing/${quote.uuid}`);
  await expectAccessible(page, 'the page that waits for the bank');
  waiting = false;
  await expectSuccess(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a bank that says no leaves the quote as it was', async ({ page, calls, form }) => {
  const quote = await calls.createQuote();
  await calls.accept(quote);
  await bringAlong(page, quote);
  await page.goto(`/payment/${quote.uuid}`);
  await payByCard(page, CARDS.challenge);
  const frame = page.getByTitle('Card payment').contentFrame();
  await frame.getByRole('button', { name: 'Reject' }).click();
  await expect(
    page.getByRole('heading', { name: 'Your payment did not go through', level: 1 }),
  ).toBeVisible({ timeout: 30_000 });
  await page.getByRole('link', { name: 'Back to your quote' }).click();
  await form.readSummary((summary) =>
    expect(summary.getByText(`Quote ID: ${quote.customId}`)).toBeVisible(),
  );
});

test('what is bought can be neither paid for nor edited again', async ({ page, calls }) => {
  const quote = await calls.createQuote();
  await calls.payFor(quote, CARDS.paid);
  await bringAlong(page, quote);
  await page.goto(`/payment/${quote.uuid}`);
  await expect(page).toHaveURL(`/policy/view/${quote.uuid}`);
  await page.goto(`/quote/edit/${quote.uuid}`);
  await expect(
    page.getByRole('heading', { name: 'Log in to change your cover', level: 1 }),
  ).toBeVisible();
});
