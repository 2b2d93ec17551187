import { ANN, CAR } from '../support/people.ts';
import { QuoteForm } from '../support/quoteForm.ts';
import { expect, test } from '../support/test.ts';

test('what was typed survives a reload and a closed page', async ({ page, context, form }) => {
  await form.open('/');
  await form.chooseCover('Vehicle', 'Local and home');
  await form.goOn('Your details');
  await form.fillPolicyholder();
  await form.fillVehicle(1, CAR);

  const expectRestored = async (reopened: QuoteForm) => {
    await reopened.expectStep('Your details');
    const aboutYou = reopened.card('About you');
    await expect(aboutYou.getByLabel('Last name', { exact: true })).toHaveValue(ANN.last);
    await expect(aboutYou.getByLabel('Date of birth', { exact: true })).toHaveValue(ANN.born);
    const vehicle = reopened.card('Vehicle 1');
    await expect(vehicle.getByLabel('Registration number')).toHaveValue(CAR.registration);
  };

  await page.reload();
  await expect(page.getByText('Welcome back. We kept your answers in this browser.')).toBeVisible();
  await expectRestored(form);

  const address = page.url();
  await page.close();
  const reopened = await context.newPage();
  await reopened.goto(address);
  await expectRestored(new QuoteForm(reopened));
});

test('answers are cleared where a quote begins, after a question', async ({ page, form }) => {
  await form.open('/');
  await form.chooseCover('Personal', 'Local');
  await page.reload();
  await expect(page.getByText('Welcome back. We kept your answers in this browser.')).toBeVisible();
  const clear = { name: 'Clear my answers' };
  await page.getByRole('main').getByRole('button', clear).first().click();
  const dialog = page.getByRole('dialog', { name: 'Clear your answers?' });
  await expect(dialog.getByRole('button', { name: 'Keep my answers' })).toBeFocused();
  await dialog.getByRole('button', clear).click();
  await form.expectMessage('Your answers are cleared.');
  await expect(form.choice('What would you like to cover?', 'Personal')).not.toBeChecked();
  await expect(page.getByRole('main').getByRole('button', clear)).toHaveCount(0);
});

test('every way back keeps the answers: the browser’s, the button, Edit Cover', async ({
  page,
  form,
}) => {
  await form.open('/');
  await form.chooseCover('Personal', 'Local');
  await form.choose('Would you like a £30 excess?', 'Yes');
  await form.goOn('Your details');
  await form.card('About you').getByLabel('First name', { exact: true }).fill(ANN.first);

  await page.goBack();
  await form.expectStep('Cover type');
  await expect(form.choice('How much cover do you need?', 'Local')).toBeChecked();
  await expect(form.choice('Would you like a £30 excess?', 'Yes')).toBeChecked();

  await page.goForward();
  await form.expectStep('Your details');
  const name = form.card('About you').getByLabel('First name', { exact: true });
  await expect(name).toHaveValue(ANN.first);

  await form.back.click();
  await form.expectStep('Cover type');
  await form.goOn('Your details');
  await expect(page.getByRole('heading', { name: 'Your details', level: 1 })).toBeFocused();
  await form.editCover();
  await form.expectStep('Cover type');
  await expect(form.choice('What would you like to cover?', 'Personal')).toBeFocused();
});

test('errors are listed, counted, and lead to their field', async ({ page, form }) => {
  await form.open('/');

  await test.step('the first step wants a cover', async () => {
    await form.expectRefusal();
    await expect(form.problem.getByRole('link')).toHaveText([
      'Choose personal or vehicle cover',
      'Choose a level of cover',
    ]);
    await expect(page).toHaveTitle(/^Error: Cover type - /);
    await expect(form.problem).toBeFocused();
    await expect(form.choice('What would you like to cover?', 'Personal')).toBeInViewport();
    const steps = page.getByRole('navigation', { name: 'Steps' });
    if (form.wide) await expect(steps.getByRole('button', { name: /2 errors/ })).toBeVisible();
    else await expect(steps.getByText('2 errors', { exact: true })).toBeVisible();
  });

  await test.step('an answer takes its error away', async () => {
    await form.choose('What would you like to cover?', 'Personal');
    await expect(form.problem.getByRole('link')).toHaveText(['Choose a level of cover']);
    await form.choose('How much cover do you need?', 'National');
    await expect(form.problem).toBeHidden();
    await expect(page).toHaveTitle(/^Cover type - /);
  });

  await test.step('a slip is told beside its field, and the link leads there', async () => {
    await form.goOn('Your details');
    await form.fillPolicyholder();
    const aboutYou = form.card('About you');
    await aboutYou.getByLabel('Postcode', { exact: true }).fill('ZZ');
    await aboutYou.getByLabel('Date of birth', { exact: true }).fill('31/02/1990');
    await form.next.click();
    await expect(form.problem.getByRole('link')).toHaveCount(2);
    const birth = aboutYou.getByLabel('Date of birth', { exact: true });
    await expect(form.problem).toBeFocused();
    await expect(birth).toBeInViewport();
    await expect(birth).toHaveAttribute('aria-invalid', 'true');
    await form.problem.getByRole('link').last().click();
    await expect(aboutYou.getByLabel('Postcode', { exact: true })).toBeFocused();
    await aboutYou.getByLabel('Postcode', { exact: true }).fill(ANN.postcode);
    await birth.fill(ANN.born);
    await expect(form.problem).toBeHidden();
    await form.goOn('Options');
  });
});

test('a step’s header leads no further than the first step with errors', async ({ page, form }) => {
  await form.open('/');
  const header = (title: string) =>
    page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: title });
  await header('Options').click();
  await expect(form.problem).toBeVisible();
  await form.expectStep('Cover type');

  await form.chooseCover('Personal', 'Local');
  await header('Options').click();
  await form.expectStep('Your details');
  await expect(form.problem).toBeVisible();
  await form.fillPolicyholder();
  await header('Options').click();
  await form.expectStep('Options');
  await header('Cover type').click();
  await form.expectStep('Cover type');
});
