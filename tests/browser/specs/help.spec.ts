import { expectAccessible } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';

test('the help page is found from the footer, and searched by keyboard', async ({ page, form }) => {
  await form.open('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Help' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible();
  const questions = page.getByRole('region', { name: 'Vehicle breakdown cover' });
  await expect(questions.getByRole('group')).toHaveCount(12);
  await expectAccessible(page, 'the help page');

  const search = page.getByRole('searchbox', { name: 'Search the questions' });
  await search.focus();
  await page.keyboard.type('fee');
  await expect(page.getByRole('status').filter({ hasText: '1 question' })).toBeVisible();
  await expect(questions.getByText(/less a fee of £15/)).toBeVisible();
  await expectAccessible(page, 'a search of the questions');
});
