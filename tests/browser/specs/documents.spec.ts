import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong } from '../support/calls.ts';
import { shownDate } from '../support/dates.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { download, firstPage, follow, inkOf, textOf } from '../support/pdf.ts';
import { ANN, CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

test('the wording and the IPID are read before buying', { tag: '@wide' }, async ({
  page,
  form,
}) => {
  await form.open('/breakdown/personal');
  await form.readSummary(async (summary) => {
    const wording = summary.getByRole('link', { name: /^View Policy Wording/ });
    const text = await textOf(await follow(page, wording));
    expect(text).toContain('Motor legal protection');
    expect(text).toContain('Financial Ombudsman Service');
    const ipid = await textOf(await follow(page, summary.getByRole('link', { name: /^View IPID/ })));
    expect(ipid).toContain('Insurance Product Information Document');
    expect(ipid).toContain('What is insured?');
    expect(ipid).toContain('How do I cancel the contract?');
  });
});

test('whoever buys without an account has the documents at once, as files', async ({
  page,
  calls,
}, info) => {
  const quote = await calls.createQuote();
  await calls.accept(quote);
  await bringAlong(page, quote);
  await page.goto(`/payment/${quote.uuid}`);
  await payByCard(page, CARDS.paid);
  await expectSuccess(page);

  const card = page.getByRole('region', { name: 'Your documents' });
  const schedule = card.getByRole('button', { name: /^Policy Schedule/ });
  await test.step('they appear by themselves once they are made', async () => {
    await expect(schedule).toBeVisible();
    for (const title of ['Receipt', 'Demands and Needs']) {
      await expect(card.getByRole('button', { name: new RegExp(`^${title}`) })).toBeVisible();
    }
    // A public document is a link, also without an account.
    await expect(card.getByRole('link', { name: /^Policy Wording/ })).toBeVisible();
    await expect(card.getByText('Being made')).toHaveCount(0);
    await expectAccessible(page, 'the success page with its documents');
  });

  await test.step('the schedule names who and what is covered, and looks like a page', async () => {
    const { name, pdf } = await download(page, schedule);
    expect(name).toContain(quote.customId);
    const text = await textOf(pdf);
    for (const expected of [quote.customId, ANN.last, ANN.postcode, 'National']) {
      expect(text).toContain(expected);
    }
    const picture = await firstPage(pdf);
    await info.attach('schedule', { body: picture, contentType: 'image/png' });
    const ink = await inkOf(page, picture);
    expect(ink).toBeGreaterThan(0.01);
    expect(ink).toBeLessThan(0.5);
  });

  await test.step('the receipt says what was paid', async () => {
    const cover = page.getByRole('region', { name: 'Your cover' });
    await expect(cover).toContainText(/£\d+\.\d\d/);
    const amount = /£\d+\.\d\d/.exec((await cover.textContent()) ?? '')?.[0] ?? 'nothing';
    const { pdf } = await download(page, card.getByRole('button', { name: /^Receipt/ }));
    expect(await textOf(pdf)).toContain(amount);
  });
});

test('a policy keeps its documents, for its owner alone', async ({
  page,
  customers,
  request,
}) => {
  const customer = await customers.create({ isPaid: true });
  await customers.logIn(page, customer);
  await page.goto('/dashboard');
  await page
    .getByRole('link', { name: `Documents, policy ${customer.quote.customId}` })
    .click();
  await expect(page).toHaveURL(`/policy/view/${customer.quote.uuid}#documents`);
  const card = page.getByRole('region', { name: 'Documents', exact: true });
  const schedule = card.getByRole('link', { name: /^Policy Schedule/ });
  await expect(schedule).toBeVisible();
  await expect(card).toBeInViewport();
  await expect(schedule).toHaveAttribute('target', '_blank');
  await expect(card.getByText(shownDate(0)).first()).toBeVisible();
  const text = await textOf(await follow(page, schedule));
  expect(text).toContain(customer.quote.customId);
  await expectAccessible(page, 'the documents of a policy');

  const address = (await schedule.getAttribute('href')) ?? '';
  expect((await request.get(address)).status(), 'nobody else opens it').toBe(401);
});
