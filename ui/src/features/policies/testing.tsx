import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { UUID } from '../../testing/data';
import { visit } from '../../testing/server';
import { PolicyScreen } from './view/PolicyScreen';

export const openPolicy = () =>
  visit({ '/policy/view/:id': <PolicyScreen uuid={UUID} /> }, `/policy/view/${UUID}`);

export const region = (name: string | RegExp) => screen.findByRole('region', { name });

/** Presses a button of the confirmation dialog. Returns the dialog's text. */
export async function agree(name: string): Promise<string> {
  const dialog = await screen.findByRole('dialog');
  const text = dialog.textContent ?? '';
  await userEvent.click(within(dialog).getByRole('button', { name }));
  return text;
}

export async function openCancelPanel() {
  openPolicy();
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel cover' }));
  await screen.findByRole('option', { name: 'I sold the vehicle' });
}
