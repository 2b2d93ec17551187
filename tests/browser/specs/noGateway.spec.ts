import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong } from '../support/calls.ts';
import { expect, test } from '../support/test.ts';

test.use({ settings: '[payments]\ngateways = []\n' });

test('a shop without a gateway says so with its telephone number, before and after Pay is pressed', async ({
  page,
  calls,
  form,
  complaints,
}) => {
  complaints.tolerate(/status of 409 .*update-accept/);
  const quote = await calls.createQuote();
  await bringAlong(page, quote);
  await form.open(`/quote/edit/${quote.uuid}?step=last`);
  await expect(page.getByText("We can't take payments online at the moment.")).toBeVisible();
  await expectAccessible(page, 'the last step of a shop without a gateway');
  await page.getByRole('checkbox', { name: /^I agree to the statements above/ }).check();
  await form.pay.click();
  await expect(page.getByRole('status').getByText(/01632 960 123/)).toBeVisible();
  await expect(form.pay).toBeEnabled();
  await expect(page).toHaveURL(new RegExp(`/quote/edit/${quote.uuid}`));
});
