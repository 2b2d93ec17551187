import { bringAlong } from '../support/calls.ts';
import { MORNING, setTime } from '../support/clock.ts';
import { shownDate } from '../support/dates.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

// The next test starts in the morning, like all other tests.
test.afterEach(async ({ context, page, shop }) => {
  // An open page would report errors while the shop is closed.
  await page.goto('about:blank');
  await setTime(context, MORNING);
  await shop.openAnew();
});

test('a quote made before midnight can be bought until the end of the day its cover starts', async ({
  page,
  context,
  form,
  shop,
  calls,
}) => {
  await setTime(context, '2026-11-21T23:30:00Z');
  await shop.openAnew();
  const starts = shownDate(1);
  const dates = `${starts} to ${shownDate(365)}`;
  const purchase = form.card('What you are buying');
  const payment = page.getByRole('heading', { name: 'Pay for your cover', level: 1 });
  const unpaid = await calls.createQuote();
  await calls.accept(unpaid);
  await bringAlong(page, unpaid);

  const premium = await test.step('before midnight it is saved and accepted, for cover from tomorrow', async () => {
    await form.open('/breakdown/personal');
    await form.chooseCover('Personal', 'National');
    await form.goOn('Your details');
    await form.fillPolicyholder();
    await form.goOn('Options');
    await form.next.click();
    await form.expectStep('Payment');
    await form.readSummary((summary) => expect(summary.getByText(dates)).toBeVisible());
    const figure = await form.premium();
    await page.getByRole('checkbox', { name: /^I agree to the statements above/ }).check();
    await form.pay.click();
    await expect(payment).toBeVisible();
    return figure;
  });

  const address = page.url();
  // An open page would report errors while the shop is closed.
  await page.goto('about:blank');
  await setTime(context, '2026-11-22T00:30:00Z');
  await shop.openToday();
  expect(shownDate(0), 'tomorrow has become today').toBe(starts);

  await test.step('after midnight its dates and its price are the same, and it is bought', async () => {
    await page.goto(address);
    await expect(purchase).toContainText(dates);
    await expect(purchase).toContainText(premium);
    await payByCard(page, CARDS.paid);
    await expectSuccess(page);
    await page.getByRole('link', { name: 'View your policy' }).click();
    await expect(form.card('Dates')).toContainText(dates);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
  });

  await test.step('the one that nobody paid for can be paid for on the whole day', async () => {
    await page.goto(`/payment/${unpaid.uuid}`);
    await expect(payment).toBeVisible();
    await expect(purchase).toContainText(dates);
  });

  await page.goto('about:blank');
  await setTime(context, '2026-11-23T00:30:00Z');
  await shop.openToday();

  await test.step('and not when that day has ended', async () => {
    await page.goto(`/payment/${unpaid.uuid}`);
    await expect(page.getByRole('heading', { name: 'This quote has expired', level: 1 })).toBeVisible();
    await expect(page.getByText(`Its price was held until ${starts}`)).toBeVisible();
    await expect(payment).toBeHidden();
  });
});
