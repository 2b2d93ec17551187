import { readFileSync } from 'node:fs';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { refuse, sent } from '../../../api/testing';
import { writeDraft } from '../../../form/answers/draft';
import { exampleDate } from '../../../form/fields/date/dates';
import { formChecked } from '../../../testing/data';
import { COMPLETE } from '../../../testing/products/product';
import { serve, show } from '../../../testing/server';
import { NewQuote } from '../start/NewQuote';
import classes from './StepButtons.module.css';

const ROUTES = { '/': <NewQuote product="breakdown" /> };

const CHECK = 'POST /api/v1/form/{id}/check';

/** Opens a complete quote at a step. */
async function open(step: number, values: Record<string, number> = {}, multi = {}) {
  writeDraft('breakdown', {
    answers: {
      values: { ...COMPLETE.values, ...values },
      multi: { ...COMPLETE.multi, ...multi },
    },
  });
  const router = show(ROUTES, step === 1 ? '/' : `/?step=${step}`);
  await screen.findByRole('button', { name: /^Next/ });
  return router;
}

const next = () => screen.getByRole('button', { name: /^Next/ });
const card = (name: string) => screen.getByRole('region', { name });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('from step to step', () => {
  test('the next button names the step, and on a phone is shorter', async () => {
    serve();
    await open(1);
    expect(next().textContent).toBe('Next: Your details');
    expect(screen.getByText(': Your details').className).toBe(classes.longer);
    const styles = readFileSync('src/features/quote/steps/StepButtons.module.css', 'utf8');
    const phone = styles.slice(styles.indexOf('@media (max-width: 36em)')).split('\n}')[0];
    expect(phone).toMatch(/\.longer \{\s+display: none;/);
  });

  test('Next waits 500 ms, a header and Back do not', async () => {
    serve();
    await open(1);
    const step = () => window.location.search;
    vi.useFakeTimers();

    fireEvent.click(next());
    await pass(499);
    expect(screen.getByText('Please wait...')).toBeTruthy();
    expect(step()).toBe('');
    await pass(1);
    await pass(0);
    expect(step()).toBe('?step=2');

    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    await pass(0);
    expect(step()).toBe('');

    // The step is shown after the 200 ms that every call takes at least.
    fireEvent.click(screen.getByRole('button', { name: /Step 2/ }));
    await pass(250);
    expect(step()).toBe('?step=2');
  });

  test('a check that failed leaves the focus in the field where Enter was pressed', async () => {
    serve({ [CHECK]: () => refuse(503, 'We are stopping.') });
    await open(2);
    const name = screen.getByRole('textbox', { name: 'First name' });
    // A browser takes the focus from an element that becomes inert. The test removes the focus
    // itself, as soon as the form is inert.
    const inert = screen.findByText('Please wait...').then(() => act(() => name.blur()));
    await userEvent.type(name, '{Enter}');
    await inert;
    await screen.findByText(/We are busy just now/);
    await waitFor(() => expect(document.activeElement).toBe(name));
  });

  test('Next and Back begin at the top', async () => {
    serve();
    const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    await open(1);
    expect(scroll).not.toHaveBeenCalled();
    await userEvent.click(next());
    await screen.findByRole('heading', { level: 1, name: 'Your details' });
    expect(scroll.mock.calls).toEqual([[0, 0]]);
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() =>
      expect(scroll.mock.calls).toEqual([
        [0, 0],
        [0, 0],
      ]),
    );
  });

  test('Back validates the step and the one before', async () => {
    const texts: Record<string, string> = {
      excess: 'Choose your excess again',
      first_name: 'Enter your name again',
    };
    const calls = serve({ [CHECK]: () => ({ data: formChecked(texts) }) });
    const router = await open(2);
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    const alert = await screen.findByRole('alert', { name: 'There is a problem' });
    expect(within(alert).getByText('Choose your excess again')).toBeTruthy();
    const checked = sent(calls, CHECK)
      .map(({ body }) => body.step)
      .filter((step) => step !== undefined);
    expect(checked.sort()).toEqual([1, 2]);

    await router.navigate('/?step=2');
    const summary = await screen.findByRole('alert', { name: 'There is a problem' });
    expect(within(summary).getByText('Enter your name again')).toBeTruthy();
  });
});

describe('a slip', () => {
  const born = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Date of birth/ });
  const problem = () => screen.queryByRole('alert', { name: 'There is a problem' });

  async function mistype() {
    serve();
    await open(2);
    await userEvent.clear(born());
    await userEvent.type(born(), '31/2/1980');
  }

  test('a registration and a postcode are written out on leaving their field', async () => {
    serve();
    await open(2, { cover_type: 2 }, { vehicles: [{}] });
    const plate = screen.getByRole<HTMLInputElement>('textbox', { name: 'Registration number' });
    await userEvent.type(plate, 'ab12cde');
    expect(plate.value).toBe('AB12CDE');
    await userEvent.tab();
    expect(plate.value).toBe('AB12 CDE');
    const postcode = screen.getByRole<HTMLInputElement>('textbox', { name: 'Postcode' });
    await userEvent.clear(postcode);
    await userEvent.type(postcode, 'sw1a1aa');
    await userEvent.tab();
    expect(postcode.value).toBe('SW1A 1AA');
  });

  test('is told at its field on leaving it, and listed only after a check', async () => {
    await mistype();
    await userEvent.tab();
    await screen.findByText(`Enter a real date, such as ${exampleDate()}`);
    expect(born().getAttribute('aria-invalid')).toBe('true');
    expect(problem()).toBeNull();
    await waitFor(() => expect(document.title).toMatch(/^Your details/));
    await userEvent.click(next());
    await waitFor(() => expect(problem()).toBeTruthy());
    await waitFor(() => expect(document.title).toMatch(/^Error: Your details/));
  });

  test('is not forced by the keyboard: a date is typed with strokes or in words', async () => {
    serve();
    await open(2);
    expect(born().inputMode).toBe('');
  });

  test('moves nothing under the button that is being pressed', async () => {
    await mistype();
    const pointer = userEvent.setup();
    await pointer.pointer({ keys: '[MouseLeft>]', target: next() });
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(document.activeElement).not.toBe(born());
    expect(screen.queryByText(`Enter a real date, such as ${exampleDate()}`)).toBeNull();
    await pointer.pointer({ keys: '[/MouseLeft]', target: next() });
    await waitFor(() => expect(problem()).toBeTruthy());
  });
});

describe('a card', () => {
  test('that is filled in for the first time has nothing to confirm', async () => {
    serve();
    await open(2, { cover_type: 2 }, { vehicles: [{}] });
    await screen.findByRole('region', { name: 'Vehicle 1' });
    expect(screen.queryByRole('button', { name: /^Confirm Details/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /^Add Another/ }));
    await screen.findByRole('region', { name: 'Vehicle 2' });
    expect(screen.queryByRole('button', { name: /^Confirm Details/ })).toBeNull();
  });

  test('that is edited is checked by Confirm Details, and closed where nothing is missing', async () => {
    serve();
    await open(2);
    const aboutYou = () => within(card('About you'));
    await userEvent.click(aboutYou().getByRole('button', { name: 'Continue' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Details About you' }));
    const name = aboutYou().getByRole('textbox', { name: 'First name' });
    await userEvent.clear(name);
    await userEvent.click(aboutYou().getByRole('button', { name: 'Confirm Details About you' }));
    await screen.findByRole('alert', { name: 'There is a problem' });
    await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'));

    await userEvent.type(name, 'Bo');
    await userEvent.click(aboutYou().getByRole('button', { name: 'Confirm Details About you' }));
    await waitFor(() => expect(aboutYou().queryByRole('textbox')).toBeNull());
    expect(aboutYou().getByText('Bo')).toBeTruthy();
    expect(aboutYou().getByRole('button', { name: 'Edit Details About you' })).toBeTruthy();
  });

  test('is left by Continue for the next one, unless something is missing', async () => {
    serve();
    await open(2);
    const aboutYou = () => within(card('About you'));
    const name = aboutYou().getByRole('textbox', { name: 'First name' });
    await userEvent.clear(name);
    await userEvent.click(aboutYou().getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(document.activeElement).toBe(name));

    await userEvent.type(name, 'Bo');
    await userEvent.click(aboutYou().getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(aboutYou().queryByRole('textbox')).toBeNull());
    await waitFor(() => expect(card('Your vehicles').contains(document.activeElement)).toBe(true));
  });

  test('that is the last of its step is left by Continue for the next step', async () => {
    serve();
    await open(1);
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await screen.findByRole('heading', { level: 1, name: 'Your details' });
  });

  test('of the only trip is cleared after a question', async () => {
    serve();
    const trip = { trip_start_date: '01.12.2026', trip_end_date: '09.12.2026' };
    await open(2, { cover_level: 5, cover_length: 2 }, { trips: [trip] });
    const days = () =>
      within(card('Your trips'))
        .getAllByRole<HTMLInputElement>('textbox')
        .map((input) => input.value)
        .join('');
    expect(days()).not.toBe('');
    await userEvent.click(screen.getByRole('button', { name: /^Clear Trip/ }));
    await screen.findByText("Are you sure you wish to clear all your trip's details?");
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(days()).toBe(''));
  });

  test('of the only person, whom nobody needs, is cleared or removed, each after a question', async () => {
    serve();
    await open(2, { cover_type: 1 }, { persons: [{ first_name: 'Bo' }] });
    const name = () =>
      within(card('Person 1')).getByRole<HTMLInputElement>('textbox', { name: 'First name' });
    expect(name().value).toBe('Bo');
    await userEvent.click(screen.getByRole('button', { name: 'Clear Person 1' }));
    await screen.findByText("Are you sure you wish to clear all your person's details?");
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(name().value).toBe(''));
    await userEvent.click(screen.getByRole('button', { name: 'Remove Person 1' }));
    await screen.findByText('Are you sure you wish to remove this person?');
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Person 1' })).toBeNull());
    expect(document.activeElement?.textContent).toMatch(/^Add Another/);
  });
});
