import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong } from '../support/calls.ts';
import { testOfWholePage as test } from '../support/framedGateways.ts';
import { press } from '../support/keyboard.ts';
import { expectSuccess } from '../support/payment.ts';
import { expect } from '../support/test.ts';

test('where it is no frame, the page of Barclaycard is posted to, given up, and paid on', async ({
  page,
  calls,
  complaints,
}) => {
  // The double has no icon.
  complaints.tolerate(/status of 401 .* \/favicon\.ico$/);
  const quote = await calls.createQuote();
  await calls.accept(quote);
  await bringAlong(page, quote);
  await page.goto(`/payment/${quote.uuid}?gateway=smartpayfuse`);
  const goOn = page.getByRole('button', { name: 'Continue to Barclaycard' });
  await expect(goOn).toBeVisible();
  await expectAccessible(page, 'the way to a whole page');
  await goOn.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(`/payment/${quote.uuid}?gateway=smartpayfuse&left`);
  await press(page, goOn);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expectSuccess(page);
});
