import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { expectNoShift } from '../support/layoutShift.ts';
import { expect, test } from '../support/test.ts';

const LEVELS = ['Local', 'Local and home', 'National', 'National and home', 'European'];
const COVER = 'How much cover do you need?';

const map = (page: Page): Locator => page.getByRole('figure');

/** Returns the lit part of the map. */
async function lit(page: Page): Promise<string[]> {
  const codes = await map(page)
    .locator('[data-reached]')
    .evaluateAll((parts) => parts.map((part) => part.getAttribute('data-reached') ?? ''));
  return [...new Set(codes)].sort();
}

test('the map shows where each level reaches, and says the same', async ({ page, form }) => {
  await form.open('/');
  await expect(map(page).getByText('Local: where you are covered')).toBeVisible();
  for (const [level, scale, home, tow] of [
    ['Local', 'A town', /but not at home or within a mile of it\.$/, /broke down\.$/],
    ['Local and home', 'A town', /Jersey, at home too\.$/, /broke down\.$/],
    ['National', 'These islands', /but not at home/, /one place in the mainland United Kingdom/],
    ['National and home', 'These islands', /at home too\.$/, /mainland United Kingdom/],
    ['European', 'Europe', /at home too\.$/, /mainland United Kingdom/],
  ] as const) {
    await form.choose(COVER, level);
    await expect(map(page).getByText(`${level}: where you are covered`)).toBeVisible();
    await expect(map(page).getByText(home)).toBeVisible();
    await expect(map(page).getByText(tow)).toBeVisible();
    const scaleButton = map(page).getByRole('button', { name: scale, exact: true });
    await expect(scaleButton).toHaveAttribute('aria-pressed', 'true');
  }
  await expect(map(page).locator('[data-reached="FR"]')).toHaveCount(1);
  expect(await lit(page)).toHaveLength(44);
  await form.choose(COVER, 'National');
  await map(page).getByRole('button', { name: 'Europe' }).click();
  await expect.poll(() => lit(page)).toEqual(['GB', 'GG', 'IM', 'JE']);
  await expectAccessible(page, 'the first page with its map');
});

test('the map is there in forced colours, and in each of its scales', async ({ page, form }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await form.open('/');
  for (const scale of ['A town', 'These islands', 'Europe']) {
    await map(page).getByRole('button', { name: scale }).click();
    await expect(map(page).locator('[data-reached]').first()).toBeVisible();
    const fill = (selector: string) =>
      map(page)
        .locator(selector)
        .first()
        .evaluate((part) => getComputedStyle(part).fill);
    if (scale !== 'A town') {
      expect(await fill('[data-reached="GB"]')).not.toBe(await fill('path:not([data-reached])'));
    }
  }
  await expectAccessible(page, 'the first page in forced colours');
});

test('five prices are there at once, for what is assumed', async ({ page, form }) => {
  await form.open('/');
  const group = page.getByRole('group', { name: COVER });
  await expect(group.getByText(/^Prices are for one new car/)).toBeVisible();
  await expect(group.getByText(/^£\d+\.\d\d\/year$/)).toHaveCount(5);
  await expectNoShift(page, 'the first page with its prices');
});

test('a plate leads into the form, which knows it', async ({ page, form }) => {
  await form.open('/');
  await page.getByLabel('Your registration number').fill('ab21cde');
  await page.getByRole('button', { name: 'See my cover' }).click();
  await expect(form.choice('What would you like to cover?', 'Vehicle')).toBeChecked();
  const question = page.getByRole('region', { name: 'Is this your vehicle?' });
  await expect(question).toBeInViewport();
  // On a wide screen the vehicle stands beside the plate, and the levels follow.
  if (form.wide) {
    await expect(page.getByLabel('Your registration number')).toBeInViewport();
    await question.getByRole('button', { name: 'Yes, it is' }).click();
  }
  await expect(form.choice(COVER, 'Local')).toBeFocused();
  await form.choose(COVER, 'National');
  await form.goOn('Your details');
  const vehicle = form.card('Vehicle 1');
  await expect(vehicle.getByLabel('Registration number')).toHaveValue('AB21 CDE');
});

test('a vehicle that is too old is refused at its plate, and other cover is offered', async ({
  page,
  form,
}) => {
  await form.open('/');
  await page.getByLabel('Your registration number').fill('AB09CDE');
  await page.getByRole('button', { name: 'See my cover' }).click();
  const refusal = page.locator('[data-decision]');
  await expect(refusal).toContainText("We can't cover a vehicle that will be over 15 years old");
  await page.getByRole('button', { name: 'Yes, it is' }).click();
  await expect(refusal).toHaveCount(1);
  await expect(page.getByText(/^£\d+\.\d\d\/year$/)).toHaveCount(0);
  await expectAccessible(page, 'the first page with a vehicle that is too old');
  const instead = { name: 'or cover yourself in any vehicle' };
  await page.locator('[data-phase]').getByRole('button', instead).click();
  await expect(form.choice('What would you like to cover?', 'Personal')).toBeChecked();
  await expect(refusal).toHaveCount(0);
  const group = page.getByRole('group', { name: COVER });
  await expect(group.getByText(/^£\d+\.\d\d\/year$/)).toHaveCount(5);
});

test('a plate that nobody knows is asked about before it has prices', async ({ page, form }) => {
  await form.open('/');
  await page.getByLabel('Your registration number').fill('ER19NFD');
  await page.getByRole('button', { name: 'See my cover' }).click();
  const vehicle = page.locator('[data-phase]');
  await expect(vehicle.getByText("We couldn't find ER19 NFD.")).toBeVisible();
  const group = page.getByRole('group', { name: COVER });
  await expect(group.getByText(/^£\d+\.\d\d\/year$/)).toHaveCount(0);
  await expectAccessible(page, 'the first page with a vehicle that nobody knows');
  await form.typeVehicle(vehicle);
  await vehicle.getByLabel('Date of first registration').fill('14/04/2019');
  await expect(group.getByText(/^£\d+\.\d\d\/year$/)).toHaveCount(5);
  await expect(group.getByText(/^Prices are for one new car/)).toHaveCount(0);
});

test('the other way in covers the person, in any vehicle', async ({ page, form }) => {
  await form.open('/');
  await page.getByRole('button', { name: 'or cover yourself in any vehicle' }).click();
  await expect(form.choice('What would you like to cover?', 'Personal')).toBeChecked();
});

test('a level is chosen where it is compared', async ({ page, form }) => {
  await form.open('/breakdown/vehicle');
  const table = page.getByRole('table');
  await expect(table.getByText(/^£\d+\.\d\d\/year$/)).toHaveCount(5);
  for (const level of LEVELS) {
    await expect(table.getByRole('button', { name: `Choose ${level}`, exact: true })).toHaveCount(1);
  }
  await table.getByRole('button', { name: 'Choose National and home' }).click();
  await expect(form.choice(COVER, 'National and home')).toBeChecked();
  await expect(form.choice(COVER, 'National and home')).toBeFocused();
  await expect(table.getByRole('button', { name: 'Chosen National and home' })).toHaveCount(1);
});

test('five levels stand in one row', { tag: '@wide' }, async ({ page, form }) => {
  await form.open('/');
  const tops = await Promise.all(
    LEVELS.map(async (level) => (await form.choice(COVER, level).boundingBox())?.y ?? 0),
  );
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(2);
  const strip = page.getByRole('group', { name: /^Prices are for one new car/ });
  await strip.getByRole('button', { name: /^European £/ }).click();
  await expect(form.choice(COVER, 'European')).toBeChecked();
  await expect(form.choice('What would you like to cover?', 'Vehicle')).toBeChecked();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('a level folds, and the chosen one is open', async ({ page, form }) => {
    await form.open('/');
    const group = page.getByRole('group', { name: COVER });
    const hire = group.getByText(/^A hire car for 48 hours/);
    await expect(hire).toBeHidden();
    await group.getByRole('button', { name: 'What it covers National', exact: true }).click();
    await expect(hire).toBeVisible();
    await form.choose(COVER, 'Local');
    await expect(group.getByText('Recovery to a garage within 10 miles')).toBeVisible();
  });
});

test('"Broken down?" is in the header of every page', async ({ page, form }) => {
  await form.open('/');
  for (const path of ['/', '/dashboard', '/retrieve-password']) {
    await page.goto(path);
    const header = page.getByRole('banner');
    if (form.wide) {
      await header.getByRole('button', { name: 'Broken down?' }).click();
      await expect(header.getByText(/^Get everyone to a safe place/)).toBeVisible();
    } else {
      await header.getByRole('button', { name: 'Menu' }).click();
    }
    const call = header.getByRole('link').filter({ hasText: /\d{3}/ }).first();
    await expect(call).toBeVisible();
    await expect(call).toHaveAttribute('href', /^tel:/);
  }
});

test('a plate that is typed and pressed before the script runs is kept and acted upon', async ({
  page,
}) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByLabel('Your registration number').fill('ab12cde');
  await page.getByRole('button', { name: 'See my cover' }).click();
  await expect(page.getByText('One moment, please')).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: 'Is this your vehicle?' })).toBeVisible();
  await expect(page.getByLabel('Your registration number')).toHaveValue('AB12 CDE');
});
