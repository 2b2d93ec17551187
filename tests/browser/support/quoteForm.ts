import { expect, type Locator, type Page } from '@playwright/test';
import { ANN, type Vehicle } from './people.ts';

/** From this width on the summary stands beside the form, in pixels. */
const WIDE = 993;

export const STEPS = ['Cover type', 'Your details', 'Options', 'Payment'] as const;

/** The quote form, by its visible texts. */
export class QuoteForm {
  readonly back: Locator;
  readonly next: Locator;
  readonly pay: Locator;
  readonly problem: Locator;
  readonly addAnother: Locator;

  constructor(readonly page: Page) {
    this.back = page.getByRole('button', { name: 'Back', exact: true });
    this.next = page.getByRole('button', { name: /^Next/ });
    // On a phone the price bar has a button too, while the step's button is off the screen.
    this.pay = page.getByRole('button', { name: /^Pay( £[\d,]+\.\d\d now)?$/ }).first();
    this.problem = page.getByRole('alert', { name: 'There is a problem' });
    this.addAnother = page.getByRole('button', { name: /^Add Another/ });
  }

  get wide(): boolean {
    return (this.page.viewportSize()?.width ?? 0) >= WIDE;
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(path);
    await expect(this.next.or(this.pay)).toBeVisible();
  }

  /** Returns a card of the form: "About you", "Vehicle 2". */
  card(title: string): Locator {
    return this.page.getByRole('region', { name: title, exact: true });
  }

  /** Returns a choice of a question: "Vehicle", or the tile that starts with "Yes". */
  choice(question: string, answer: string): Locator {
    return this.page
      .getByRole('group', { name: question })
      .getByRole('radio', { name: answer, exact: true })
      .or(this.tile(this.page, question, answer));
  }

  async choose(question: string, answer: string): Promise<void> {
    await this.choice(question, answer).check();
  }

  async chooseCover(type: 'Personal' | 'Vehicle', level: string): Promise<void> {
    await this.choose('What would you like to cover?', type);
    await this.choose('How much cover do you need?', level);
  }

  async fillPolicyholder(): Promise<void> {
    const card = this.card('About you');
    await card.getByLabel('Title', { exact: true }).selectOption(ANN.title);
    await card.getByLabel('First name', { exact: true }).fill(ANN.first);
    await card.getByLabel('Last name', { exact: true }).fill(ANN.last);
    await card.getByLabel('Date of birth', { exact: true }).fill(ANN.born);
    await card.getByLabel('Email address', { exact: true }).fill(ANN.email);
    await card.getByLabel(/^(A mobile we can call|Telephone)/).fill(ANN.telephone);
    await this.typeAddress(card);
    await card.getByLabel('Address', { exact: true }).fill(ANN.address);
    await card.getByLabel('Postcode', { exact: true }).fill(ANN.postcode);
  }

  async fillVehicle(number: number, vehicle: Vehicle): Promise<void> {
    const card = this.card(`Vehicle ${number}`);
    await this.tile(card, 'Type of vehicle', vehicle.type).check();
    await card.getByLabel('Registration number').fill(vehicle.registration);
    await this.typeVehicle(card);
    await card.getByLabel('Date of first registration').fill(vehicle.registered);
  }

  /** Looks up the typed registration, and rejects the vehicle. */
  async typeVehicle(card: Locator): Promise<void> {
    const find = card.getByRole('button', { name: 'Find my vehicle' });
    if (await find.isVisible()) await find.click();
    const date = card.getByLabel('Date of first registration');
    const otherVehicle = card.getByRole('button', { name: 'No, I\'ll type it myself' });
    const typeDate = card.getByRole('button', { name: 'No, I\'ll type the date' });
    await expect(otherVehicle.or(typeDate).or(date).first()).toBeVisible();
    if (await otherVehicle.isVisible()) await otherVehicle.click();
    await expect(typeDate.or(date).first()).toBeVisible();
    if (await typeDate.isVisible()) await typeDate.click();
  }

  /** Shows the input for the address, if the card shows the search. */
  async typeAddress(card: Locator): Promise<void> {
    const typeAddress = card.getByRole('button', { name: 'Type the address' });
    if (await typeAddress.isVisible()) await typeAddress.click();
    await expect(card.getByLabel('Address', { exact: true })).toBeVisible();
  }

  async fillTrip(number: number, destination: string, from: string, to: string): Promise<void> {
    const card = this.card(`Trip ${number}`);
    await card.getByLabel('Main destination').selectOption(destination);
    await card.getByLabel('First day').fill(from);
    await card.getByLabel('Last day').fill(to);
  }

  /** Goes on, and waits for the next step. */
  async goOn(to: (typeof STEPS)[number]): Promise<void> {
    await this.next.click();
    await this.expectStep(to);
  }

  /** Tries to go on, and waits for the errors. */
  async expectRefusal(): Promise<void> {
    await this.next.click();
    await expect(this.problem).toBeVisible();
    await expect(this.next).toBeVisible();
  }

  async expectStep(title: (typeof STEPS)[number]): Promise<void> {
    const number = STEPS.indexOf(title) + 1;
    const steps = this.page.getByRole('navigation', { name: 'Steps' });
    if (this.wide) {
      const step = steps.getByRole('button', { name: `Step ${number}: ${title}` });
      await expect(step).toHaveAttribute('aria-current', 'step');
    } else {
      await expect(steps.getByText(`Step ${number} of 4: ${title}`)).toBeVisible();
    }
    await expect(this.page.getByRole('heading', { name: title, exact: true })).toHaveCount(1);
    await expect(this.page).toHaveTitle(new RegExp(`^(Error: )?${title} - `));
  }

  /** Reads the summary: beside the form, or on a phone behind its button. */
  async readSummary<T>(read: (summary: Locator) => Promise<T>): Promise<T> {
    if (this.wide) return read(this.page.getByRole('complementary', { name: 'Your cover' }));
    await this.page.getByRole('button', { name: 'Summary', exact: true }).click();
    const drawer = this.page.getByRole('dialog', { name: 'Your cover' });
    await expect(drawer).toBeVisible();
    const answer = await read(drawer);
    await drawer.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(drawer).toBeHidden();
    return answer;
  }

  /** Presses "Edit Cover" in the summary, which then closes on a phone. */
  async editCover(): Promise<void> {
    if (!this.wide) await this.page.getByRole('button', { name: 'Summary', exact: true }).click();
    await this.page.getByRole('button', { name: 'Edit Cover' }).click();
  }

  /** Returns the announced premium: "£64.20 per year". Waits until it is stable. */
  async premium(per: 'year' | 'trip' = 'year'): Promise<string> {
    const premium = this.page.getByText(
      new RegExp(`^Your premium is £[\\d,]+\\.\\d\\d per ${per}\\.$`),
    );
    await expect(premium).toHaveCount(1);
    return /£[\d,]+\.\d\d/.exec((await premium.textContent()) ?? '')?.[0] ?? '';
  }

  async expectMessage(text: string): Promise<void> {
    await expect(this.page.getByRole('status').filter({ hasText: text })).toBeVisible();
  }

  private tile(container: Page | Locator, question: string, answer: string): Locator {
    return container
      .getByRole('group', { name: question })
      .getByRole('radio', { name: new RegExp(`^${answer}(?= [A-Z£]|$)`) });
  }
}
