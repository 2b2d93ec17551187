import { expect, type Locator, type Page } from '@playwright/test';
import type { Customer } from './customers.ts';

/** The account area as a customer uses it: by what is written on it. */
export class Account {
  readonly bar: Locator;
  readonly details: Locator;
  readonly loginCard: Locator;
  readonly wayIn: Locator;

  constructor(readonly page: Page) {
    this.bar = page.getByRole('navigation', { name: 'Your account' });
    this.details = page.getByRole('region', { name: 'Your Details' });
    this.loginCard = page.getByRole('region', { name: 'Login', exact: true });
    this.wayIn = page.getByRole('heading', { name: 'Please Log in to proceed', level: 1 });
  }

  tab(name: 'Dashboard' | 'Policies' | 'Quotes' | 'Renewal Quotes'): Locator {
    return this.bar.getByRole('link', { name, exact: true });
  }

  password(within: Page | Locator, label = 'Password'): Locator {
    return within.getByRole('textbox', { name: label, exact: true });
  }

  /** Opens the dashboard as nobody, and its login card. */
  async openLogin(path = '/dashboard'): Promise<void> {
    await this.page.goto(path);
    await expect(this.wayIn).toBeVisible();
    if (await this.loginCard.isHidden()) {
      await this.page.getByRole('main').getByRole('button', { name: 'Login' }).click();
    }
  }

  async logIn({ email, password }: Customer, within: Locator = this.loginCard): Promise<void> {
    await within.getByLabel('Username').fill(email);
    await this.password(within).fill(password);
    await within.getByRole('button', { name: 'Login', exact: true }).click();
  }

  async logOut(): Promise<void> {
    // Outside the account it is in the menu alone.
    const own = this.bar.getByRole('button', { name: 'Logout' });
    const within = (await own.isVisible()) ? this.bar : await this.openMenu();
    await within.getByRole('button', { name: 'Logout' }).click();
  }

  /** The menu of the toolbar. */
  async openMenu(): Promise<Locator> {
    await this.page.getByRole('button', { name: 'My Account' }).click();
    return this.page.getByRole('region', { name: /^(My Account|User login)$/ });
  }
}
