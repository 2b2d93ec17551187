import { expect, type Locator, type Page } from '@playwright/test';
import type { Customer } from './customers.ts';

/** The account area, by its visible texts. */
export class Account {
  readonly bar: Locator;
  readonly details: Locator;
  readonly loginCard: Locator;
  readonly startField: Locator;

  constructor(readonly page: Page) {
    this.bar = page.getByRole('navigation', { name: 'Your account' });
    this.details = page.getByRole('region', { name: 'Your Details' });
    this.loginCard = page.getByRole('region', { name: 'Login', exact: true });
    this.startField = page.getByRole('heading', { name: 'Please Log in to proceed', level: 1 });
  }

  tab(name: 'Dashboard' | 'Policies' | 'Payments' | 'Quotes' | 'Renewal Quotes'): Locator {
    return this.bar.getByRole('link', { name, exact: true });
  }

  password(container: Page | Locator, label = 'Password'): Locator {
    return container.getByRole('textbox', { name: label, exact: true });
  }

  /** Opens the dashboard without a login. */
  async openLogin(path = '/dashboard'): Promise<void> {
    await this.page.goto(path);
    await expect(this.startField).toBeVisible();
    await expect(this.loginCard).toBeVisible();
  }

  async logIn({ email, password }: Customer, container: Locator = this.loginCard): Promise<void> {
    await container.getByLabel('Username').fill(email);
    await this.password(container).fill(password);
    await container.getByRole('button', { name: 'Login', exact: true }).click();
  }

  async logOut(): Promise<void> {
    // Outside the account only the menu has it.
    const own = this.bar.getByRole('button', { name: 'Logout' });
    const container = (await own.isVisible()) ? this.bar : await this.openMenu();
    await container.getByRole('button', { name: 'Logout' }).click();
  }

  /** Opens the menu of the toolbar. */
  async openMenu(): Promise<Locator> {
    await this.page.getByRole('button', { name: 'My Account' }).click();
    return this.page.getByRole('region', { name: /^(My Account|User login)$/ });
  }
}
