import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import type { Calls } from '../support/calls.ts';
import { wire } from '../support/dates.ts';
import { expectNoShift } from '../support/layoutShift.ts';
import { expect, test } from '../support/test.ts';

test.use({ seeded: true });

const OLD_CAR = {
  values: { cover_type: 2 },
  vehicles: [
    { vehicle_type: 1, vehicle_registration: 'AB05 CDE', vehicle_registration_date: '14.04.2005' },
  ],
};

/** Makes twelve quotes, "Zoe" the newest, and one that is declined. */
async function makeQuotes(calls: Calls): Promise<void> {
  await calls.createQuote({ ...OLD_CAR, values: { ...OLD_CAR.values, first_name: 'Declan' } });
  for (let n = 0; n < 10; n += 1) {
    await calls.createQuote({
      values: { first_name: `Ann ${'ABCDEFGHIJ'[n]}`, start_date: wire(n + 2) },
    });
  }
  await calls.createQuote({ values: { first_name: 'Zoe', cover_level: 4 } });
}

/** A list's table, or its cards on a phone. */
class List {
  readonly items: Locator;
  readonly count: Locator;
  readonly isWide: boolean;

  constructor(private readonly page: Page) {
    this.isWide = (page.viewportSize()?.width ?? 0) > 992;
    this.items = this.isWide
      ? page.getByRole('main').locator('tbody').getByRole('row')
      : page
          .getByRole('main')
          .getByRole('listitem')
          .filter({ has: page.locator('dl') });
    this.count = page.getByRole('status').filter({ hasText: /quote|polic/ });
  }

  async sort(column: string, order: string): Promise<void> {
    if (this.isWide) await this.page.getByRole('button', { name: column, exact: true }).click();
    else await this.page.getByLabel('Sort by').selectOption(`${column}: ${order}`);
  }

  pages(): Locator {
    return this.page.getByRole('navigation', { name: 'Pages' });
  }
}

test('quotes are sorted, paged and filtered, and a reload forgets nothing of it', async ({
  page,
  customers,
}) => {
  const customer = await customers.create();
  await makeQuotes(await customers.logIn(page, customer));
  await page.goto('/dashboard?tab=quotes');
  const list = new List(page);

  await test.step('the newest come first, ten on a page', async () => {
    await expect(list.count).toHaveText('Showing 1 to 10 of 13 quotes');
    await expect(list.items).toHaveCount(10);
    await expect(list.items.first()).toContainText('Zoe');
    await expect(list.items.first()).toContainText('a few seconds ago');
    await expect(list.items.first()).toContainText(/£\d+\.\d\d/);
    await expect(page.getByLabel('Items per page')).toBeDisabled();
    await expectAccessible(page, 'the list of quotes');
  });

  await test.step('by name and backwards', async () => {
    await list.sort('Name', 'A to Z');
    await expect(list.items.first()).toContainText('Ann A');
    await list.sort('Name', 'Z to A');
    await expect(list.items.first()).toContainText('Zoe');
    await list.sort('Premium', 'lowest first');
    await list.sort('Premium', 'highest first');
    await expect(list.items.first()).toContainText('Zoe');
  });

  await test.step('the second page has the rest', async () => {
    await list.pages().getByRole('button', { name: 'Next' }).click();
    await expect(list.items).toHaveCount(3);
    await expect(list.count).toHaveText('Showing 11 to 13 of 13 quotes');
    await page.reload();
    await expect(list.count).toHaveText('Showing 11 to 13 of 13 quotes');
  });

  await test.step('what is filtered begins on the first page', async () => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const filters = page.getByRole('search', { name: 'Filter quotes' });
    await filters.getByRole('button', { name: 'Declined' }).click();
    await expect(list.count).toHaveText('1 quote');
    await expect(list.items.first()).toContainText('Declan');
    await expect(list.items.first()).toContainText('N/A');
    await filters.getByRole('button', { name: 'Usual' }).click();
    await filters.getByLabel('Name').fill('ann j');
    await expect(list.count).toHaveText('1 quote');
    await expect(list.items.first()).toContainText('Ann J');
    await expectAccessible(page, 'the filters of a list');
    await page.reload();
    await expect(list.count).toHaveText('1 quote');
    await expect(filters.getByLabel('Name')).toHaveValue('ann j');
    await filters.getByLabel('Reference #').fill('nothing like it');
    await expect(
      page.getByRole('heading', { name: 'Nothing matches these filters' }),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(list.count).toHaveText('Showing 1 to 10 of 13 quotes');
  });
});

test('the table names its columns and the order of its rows', { tag: '@wide' }, async ({
  page,
  customers,
}) => {
  const customer = await customers.create();
  await customers.logIn(page, customer);
  await page.goto('/dashboard?tab=quotes');
  const headings = page.getByRole('columnheader');
  await expect(headings).toHaveText([
    'Reference #',
    'Status',
    'Name',
    'Created At',
    'Inception Date',
    'Quote Expires',
    'Premium',
    'Actions',
  ]);
  const name = page.getByRole('columnheader', { name: 'Name' });
  await expect(name).toHaveAttribute('aria-sort', 'none');
  for (const order of ['ascending', 'descending', 'none']) {
    await name.getByRole('button').press('Enter');
    await expect(name).toHaveAttribute('aria-sort', order);
  }
  await page.getByRole('link', { name: `Edit quote ${customer.quote.customId}` }).click();
  await expect(page).toHaveURL(`/quote/edit/${customer.quote.uuid}`);
});

test('whoever has nothing yet is shown what to do next', async ({ page, account, customers }) => {
  await customers.logIn(page, await customers.create());
  await page.goto('/dashboard');
  const policies = page.getByRole('region', { name: 'Your policies' });
  await expect(policies.getByRole('link', { name: 'Get a quote' })).toBeVisible();
  await expectNoShift(page, 'the dashboard without a policy');
  await account.tab('Policies').click();
  await expect(page.getByRole('heading', { name: 'You have no policies yet' })).toBeVisible();
  await expectAccessible(page, 'an empty list');
  await account.tab('Renewal Quotes').click();
  await expect(page.getByRole('heading', { name: 'You have no renewal quotes' })).toBeVisible();
  await expect(account.tab('Renewal Quotes')).toHaveAttribute('aria-current', 'page');
});

test('a policy stands on the dashboard and in its list', async ({ page, account, customers }) => {
  const customer = await customers.create({ isPaid: true });
  const { uuid, customId } = customer.quote;
  await customers.logIn(page, customer);
  await page.goto('/dashboard');
  const policies = page.getByRole('region', { name: 'Your policies' });
  await expect(policies).toContainText(customId);
  await expect(policies.getByText('Live', { exact: true })).toBeVisible();
  await expect(policies.getByRole('link', { name: /^Broken down\? Call/ })).toHaveAttribute(
    'href',
    /^tel:/,
  );
  await expectNoShift(page, 'the dashboard with a policy');
  await expectAccessible(page, 'the dashboard with a policy');

  await account.tab('Policies').click();
  const list = new List(page);
  await expect(list.count).toHaveText('1 policy');
  await expect(list.items).toContainText(['Live']);
  await expectAccessible(page, 'the list of policies');
  await page.getByRole('link', { name: `View policy ${customId}` }).click();
  await expect(page).toHaveURL(`/policy/view/${uuid}`);
});
