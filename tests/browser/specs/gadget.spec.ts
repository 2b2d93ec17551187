import { expectAccessible } from '../support/accessibility.ts';
import { agreeToGadget, fillGadget, toStep } from '../support/gadget.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { ANN, CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

test('gadget cover is bought on the generic stepper, its steps counted in tens', async ({
  page,
  form,
}) => {
  await test.step('the start page is its own, and its assumptions are a press away', async () => {
    await form.open('/cover/gadget');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('gadgets');
    await page.getByRole('button', { name: 'Gadget assumptions' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('18 months');
    await expect(dialog).toContainText('within 15 days');
    await expectAccessible(page, 'the gadget assumptions');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(dialog).toBeHidden();
  });

  await test.step('step 10: a plan and a laptop', async () => {
    await fillGadget(form);
    await expectAccessible(page, 'a gadget');
    await toStep(form, 20);
  });

  await test.step('steps 20 and 30: who, and the options', async () => {
    await form.fillPolicyholder();
    await toStep(form, 30);
    await form.next.click();
    await form.expectMessage('Quote created successfully.');
    await expect(page).toHaveURL(/\/quote\/edit\/[0-9a-f-]{36}\?step=40$/);
  });

  await test.step('step 40: declared, paid and live', async () => {
    await expect(form.card('Check your answers')).toContainText('Laptop');
    await agreeToGadget(form);
    await form.pay.click();
    await payByCard(page, CARDS.paid);
    await expectSuccess(page);
    await page.getByRole('link', { name: 'View your policy' }).click();
    await expect(page.getByRole('heading', { name: /^Policy ID: GAD\d{9}$/ })).toBeVisible();
    await expect(form.card('Policyholder')).toContainText(ANN.last);
  });
});
