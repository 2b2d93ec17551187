import { expectAccessible } from '../support/accessibility.ts';
import { MORNING, passMidnight, setTime } from '../support/clock.ts';
import { shownDate, wire } from '../support/dates.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { ANN, CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

// The next test starts in the morning, like all other tests.
test.afterEach(async ({ context, page, shop }) => {
  await page.goto('about:blank');
  await setTime(context, MORNING);
  await shop.openAnew();
});

test('a mailed link opens a quote after its start day, and saving it makes it buyable again', async ({
  page,
  context,
  form,
  shop,
  calls,
  mailbox,
}) => {
  await shop.openAnew();
  // From 27 November on the car is five years old, and so dearer.
  const car = {
    vehicle_type: 1,
    vehicle_registration: 'AB21 CDE',
    vehicle_registration_date: '27.11.2021',
  };
  const values = { cover_type: 2, start_date: wire(4) };
  const quote = await calls.createQuote({ values, vehicles: [car] });
  const letter = await mailbox.letter(ANN.email, /^Your layby quote /);
  const text = letter.replace(/\s+/g, ' ');
  expect(text).toContain('You chose: AB21 CDE; Vehicle cover; National cover');
  expect(text).toMatch(/Price: GBP \d+\.\d\d a year Price held until: end of 25 November 2026/);
  expect(text).toContain('Quote and link live until: end of 21 December 2026');
  const link = await mailbox.link(ANN.email, `/quote/edit/${quote.uuid}#resume=`);

  await setTime(context, '2026-11-26T10:00:00Z');
  await shop.openToday();
  await page.goto(link);
  const notice = page.getByText(
    /^The start day of this quote, Wednesday 25 November 2026, has passed, so we have moved the start to Friday 27 November 2026: save your quote to be able to buy it\. It was quoted at £\d+\.\d\d; from the new day it costs £\d+\.\d\d\.$/,
  );
  await expect(notice).toBeVisible();
  const [before, now] = (await notice.innerText()).match(/\d+\.\d\d/g)?.map(Number) ?? [];
  expect(now).toBeGreaterThan(before ?? 0);
  await form.readSummary(async (summary) => {
    await expect(summary.getByText(`${shownDate(1)} to ${shownDate(365)}`)).toBeVisible();
    await expect(summary.getByText(/We hold this price/)).toHaveCount(0);
  });
  await expectAccessible(page, 'a quote after its start day');

  const save = page.getByRole('button', { name: 'Save Changes' });
  await save.focus();
  await page.keyboard.press('Enter');
  await expect(notice).toBeHidden();
  await form.readSummary((summary) =>
    expect(summary.getByText(`We hold this price until ${shownDate(1)}.`)).toBeVisible(),
  );
  for (const step of ['Your details', 'Options', 'Payment'] as const) await form.goOn(step);
  await page.getByRole('checkbox', { name: /^I agree to the statements above/ }).check();
  await form.pay.click();
  await payByCard(page, CARDS.paid);
  await expectSuccess(page);
});

test('midnight in an open page moves a start that nobody chose', async ({ page, context, form, shop }) => {
  await setTime(context, '2026-11-21T23:50:00Z');
  await shop.openAnew();
  await form.open('/breakdown/personal');
  await form.chooseCover('Personal', 'National');
  await form.goOn('Your details');
  await form.fillPolicyholder();
  await form.goOn('Options');
  await form.readSummary((summary) => expect(summary.getByText(`${shownDate(1)} to`)).toBeVisible());
  await form.premium();

  await setTime(context, '2026-11-22T00:10:00Z');
  await shop.openToday();
  await passMidnight(page);
  const dates = `${shownDate(1)} to ${shownDate(365)}`;
  await form.readSummary((summary) => expect(summary.getByText(dates)).toBeVisible());
  await form.goOn('Payment');
  await expect(form.problem).toBeHidden();
  await form.readSummary((summary) => expect(summary.getByText(dates)).toBeVisible());
});

test('a start that was chosen and is past is asked about in one sentence', async ({
  page,
  context,
  form,
  shop,
}) => {
  await shop.openAnew();
  await form.open('/breakdown/personal');
  await form.chooseCover('Personal', 'National');
  await page.getByLabel('When should your cover start?').fill(shownDate(3));
  await form.goOn('Your details');
  await form.fillPolicyholder();
  await form.goOn('Options');

  const address = page.url();
  await page.goto('about:blank');
  await setTime(context, '2026-11-24T00:30:00Z');
  await shop.openToday();
  await page.goto(address);
  const question = page.getByRole('alert').filter({ hasText: 'can no longer start' });
  await expect(question).toContainText(
    'Cover can no longer start on Tuesday 24 November 2026: may it start on Wednesday 25 November 2026 instead?',
  );
  await expectAccessible(page, 'the question about a start day');
  await form.next.click();
  await expect(question).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await form.goOn('Payment');
  await form.readSummary((summary) =>
    expect(summary.getByText(`${shownDate(1)} to ${shownDate(365)}`)).toBeVisible(),
  );
});

test('a vehicle that is too old is said so as soon as its date is typed', async ({ page, form }) => {
  await form.open('/breakdown/vehicle');
  await form.chooseCover('Vehicle', 'Local');
  const levels = form.card('Choose your cover');
  await expect(levels.getByText('Prices are for one new car, until you tell us about yours.')).toBeVisible();
  await expectAccessible(page, 'the levels with their prices');
  await form.goOn('Your details');
  const card = form.card('Vehicle 1');
  await card.getByLabel('Registration number').fill('AB09 CDE');
  await form.typeVehicle(card);
  await card.getByLabel('Date of first registration').fill('01/03/2009');
  const notice = card.getByText(/^We can't cover a vehicle that will be over 15 years old/);
  await expect(notice).toBeVisible();
  await expect(notice.getByRole('link', { name: '01632 960 123' })).toBeVisible();
  await expectAccessible(page, 'a vehicle that will be refused');
  await card.getByLabel('Date of first registration').fill('01/03/2019');
  await expect(notice).toBeHidden();
});
