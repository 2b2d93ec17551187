import type { Page } from '@playwright/test';
import { LINKS, newAddress } from '../support/customers.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { CARDS } from '../support/people.ts';
import type { QuoteForm } from '../support/quoteForm.ts';
import { expect, test } from '../support/test.ts';

const LISTED = [
  ...Array.from({ length: 10 }, (_, n) => (n % 2 ? `source${n + 1}` : `SOURCE${n + 1}`)),
  'bnp',
  'BnP',
  'Brooks',
];
const OTHER = ['source11', 'source', 'paper', 'bnp2'];
const REASON = 'Free with the offer that brought you here';

/** Fills in national personal cover with key cover, up to its options. */
async function fillTo(form: QuoteForm, email: string): Promise<void> {
  await form.chooseCover('Personal', 'National');
  await form.goOn('Your details');
  await form.fillPolicyholder();
  await form.card('About you').getByLabel('Email address', { exact: true }).fill(email);
  await form.goOn('Options');
  await form.page.getByRole('checkbox', { name: 'Key cover' }).check();
}

/** Returns the line of key cover in the parts of the price. */
function keyCover(form: QuoteForm): Promise<string> {
  return form.readSummary(async (summary) => {
    const details = summary.locator('details');
    if (!(await details.evaluate((element: HTMLDetailsElement) => element.open))) {
      await details.locator('summary').click();
    }
    const line = details.locator('dl > div').filter({ hasText: 'Key cover' });
    await expect(line).toHaveCount(1);
    return (await line.innerText()).replaceAll(/\s+/g, ' ');
  });
}

function address(source: string, campaign = 'fkc', medium = 'affiliate'): string {
  return `/?${new URLSearchParams({ utm_source: source, utm_campaign: campaign, utm_medium: medium })}`;
}

test('key cover is free for each listed source, however it is written, and for no other', {
  tag: '@wide',
}, async ({ form }) => {
  await form.open('/');
  await fillTo(form, newAddress());
  await expect.poll(() => keyCover(form)).toBe('Key cover £32.14');
  const dear = await form.premium();

  // The browser keeps the answers. Each address is opened as a first page.
  const cheaper = new Set<string>();
  for (const source of LISTED) {
    await form.open(address(source, 'FKC', 'Affiliate'));
    await expect.poll(() => keyCover(form), source).toBe(`Key cover ${REASON} £0.00`);
    cheaper.add(await form.premium());
  }
  expect([...cheaper]).toEqual([expect.not.stringContaining(dear)]);

  const others = OTHER.map((source) => address(source));
  others.push(address('bnp', 'spring'), address('bnp', 'fkc', 'email'));
  for (const other of others) {
    await form.open(other);
    await expect.poll(() => keyCover(form), other).toBe('Key cover £32.14');
    await expect.poll(() => form.premium(), other).toBe(dear);
  }
});

test('free key cover stays free until the policy', async ({ page, form }) => {
  await form.open(address('Source7'));
  await fillTo(form, newAddress());
  await form.goOn('Payment');
  await expect.poll(() => keyCover(form)).toBe(`Key cover ${REASON} £0.00`);
  const premium = await form.premium();
  await page.getByRole('checkbox', { name: /^I agree to the statements above/ }).check();
  await form.pay.click();
  await expect(form.card('What you are buying')).toContainText(premium);
  await payByCard(page, CARDS.paid);
  await expectSuccess(page);
});

// Text that no page may interpret.
const HOSTILE = '"><img src=x onerror="window.harmed=1"><script>window.harmed=1</script>';

async function expectNoInjection(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
  expect(await page.content()).not.toMatch(/onerror=|window\.harmed/);
}

test('hostile campaign words are shown nowhere', async ({ page, form, mailbox }) => {
  const email = newAddress();
  const parameters = ['utm_source', 'utm_campaign', 'utm_medium', 'external_uuid', 'affiliate_uuid'];
  const hostile = new URLSearchParams(parameters.map((parameter) => [parameter, HOSTILE]));
  hostile.set('affiliate_extra', `${HOSTILE},__proto__`);
  await form.open(`/?${hostile}`);
  await expectNoInjection(page);
  await fillTo(form, email);
  await form.goOn('Payment');
  await expect.poll(() => keyCover(form)).toBe('Key cover £32.14');
  await expectNoInjection(page);
  const letter = await mailbox.letter(email, /quote/i);
  expect(letter).not.toMatch(/onerror|harmed/);
  await page.goto(await mailbox.link(email, LINKS.resume));
  await expect(form.pay.or(form.next)).toBeVisible();
  await expectNoInjection(page);
});
