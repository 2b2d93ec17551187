import { shownDate } from '../support/dates.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { ANN, CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

test.describe('personal cover', () => {
  test.use({ knowsCookies: false });

  test('is bought from the first page to the live policy', async ({ page, form }) => {
    const dates = `${shownDate(1)} to ${shownDate(365)}`;

    await test.step('the first page says what is sold, and asks about cookies once', async () => {
      await form.open('/');
      await form.expectStep('Cover type');
      const cookies = page.getByRole('region', { name: 'Cookies' });
      await expect(cookies).toContainText(
        'This site uses cookies to provide a better user experience.',
      );
      await cookies.getByRole('button', { name: 'I Accept' }).click();
      await expect(cookies).toBeHidden();
      await expect(form.back).toBeDisabled();
    });

    const premium = await test.step('step 1: national cover has a price', async () => {
      await form.readSummary((summary) =>
        expect(summary.getByText('Choose your cover and your price appears here.')).toBeVisible(),
      );
      await form.chooseCover('Personal', 'National');
      const figure = await form.premium();
      await form.readSummary(async (summary) => {
        await expect(summary.getByRole('heading', { name: 'Your Premium' })).toBeVisible();
        await expect(summary.getByText(`${figure}/year`).first()).toBeVisible();
        await expect(summary.getByRole('heading', { name: 'Your Cover Dates' })).toBeVisible();
        await expect(summary.getByText(dates)).toBeVisible();
        await expect(summary.getByRole('heading', { name: 'Your Policy' })).toBeVisible();
        const lines = ['Personal cover', 'National cover', 'Unlimited callouts'];
        for (const line of lines) {
          await expect(summary.getByRole('listitem').filter({ hasText: line })).toBeVisible();
        }
        await expect(summary.getByRole('button', { name: 'Edit Cover' })).toBeVisible();
        await expect(summary.getByText('ID:')).toHaveCount(0);
        await expect(
          summary.getByRole('heading', { name: 'Got any questions or need a hand?' }),
        ).toBeVisible();
      });
      return figure;
    });

    await test.step('step 2: who it is for', async () => {
      await form.goOn('Your details');
      await expect(form.back).toBeEnabled();
      await form.fillPolicyholder();
    });

    await test.step('step 3: no extras, and the quote is saved', async () => {
      await form.goOn('Options');
      await expect(
        page.getByRole('checkbox', { name: 'Motor legal protection' }),
      ).not.toBeChecked();
      await expect(page.getByRole('checkbox', { name: 'Key cover' })).not.toBeChecked();
      await form.next.click();
      await form.expectMessage('Quote created successfully.');
      await form.expectStep('Payment');
      await expect(page).toHaveURL(/\/quote\/edit\/[0-9a-f-]{36}\?step=4$/);
    });

    const reference = await test.step('step 4: everything to read once more', async () => {
      const close = page.getByRole('button', { name: 'Close', exact: true });
      const place = await close.boundingBox();
      expect(place && place.y + place.height, 'the snackbar is at the top').toBeLessThan(130);
      await close.click();
      const answers = form.card('Check your answers');
      await expect(answers).toContainText(ANN.last);
      await expect(answers).toContainText(ANN.postcode);
      const quoteId = await form.readSummary(async (summary) => {
        await expect(summary.getByText(/^Quote ID: BRK\d{9}$/)).toBeVisible();
        await expect(summary.getByText(`${premium}/year`).first()).toBeVisible();
        await expect(summary.getByRole('button', { name: 'Edit Cover' })).toHaveCount(0);
        return summary.getByText(/^Quote ID: /).textContent();
      });
      await page.getByRole('checkbox', { name: /^I agree to the statements above/ }).check();
      await form.pay.click();
      return (quoteId ?? '').replace('Quote ID: ', '');
    });

    await test.step('the payment page says what is bought, and takes the card', async () => {
      const purchase = form.card('What you are buying');
      await expect(purchase).toContainText(reference);
      await expect(purchase).toContainText(dates);
      await expect(purchase).toContainText(premium);
      await payByCard(page, CARDS.paid);
      await expectSuccess(page);
      await expect(page.getByText(`Your reference is ${reference}`)).toBeVisible();
    });

    await test.step('the policy is live', async () => {
      await page.getByRole('link', { name: 'View your policy' }).click();
      await expect(
        page.getByRole('heading', { name: `Policy ID: ${reference}`, level: 1 }),
      ).toBeVisible();
      await expect(page).toHaveURL(/\/policy\/view\/[0-9a-f-]{36}$/);
      await expect(form.card('Dates')).toContainText(dates);
      await expect(form.card('Your Policy')).toContainText('National cover');
      await expect(form.card('Policyholder')).toContainText(ANN.last);
      await expect(page.getByText('Live', { exact: true })).toBeVisible();
    });
  });
});
