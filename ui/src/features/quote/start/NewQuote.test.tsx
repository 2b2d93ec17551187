import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { forId, refuse, type Server, sent } from '../../../api/testing';
import type { Profile } from '../../../api/types';
import { readDraft, readLastQuote, writeDraft, writeLastQuote } from '../../../form/answers/draft';
import { forgetLogin } from '../../../lib/session/mayBeLoggedIn';
import { saveToken, tokenFor } from '../../../lib/storage/tokens';
import { createdQuote, FIGURES, formChecked, profileOf, UUID } from '../../../testing/data';
import { COMPLETE, PRODUCT } from '../../../testing/products/product';
import { serve, show } from '../../../testing/server';
import { NewQuote } from './NewQuote';

const ROUTES = {
  '/': <NewQuote product="breakdown" />,
  '/breakdown/national': <NewQuote product="breakdown" preset="national" />,
  '/breakdown/nonsense': <NewQuote product="breakdown" preset="nonsense" />,
  '/quote/edit/:id': <p>The saved quote</p>,
};

const CREATE = 'POST /api/v2/public/quote/{product}';

async function begin(path: string) {
  const user = userEvent.setup();
  show(ROUTES, path);
  await screen.findByRole('button', { name: /^Next/ });
  return { user };
}

const next = () => screen.getByRole('button', { name: /^Next/ });

describe('a new quote', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('for a trip is not shown with an end before that is answered', async () => {
    writeDraft('breakdown', {
      answers: {
        values: { ...COMPLETE.values, cover_level: 5, cover_length: 2 },
        multi: { ...COMPLETE.multi, trips: [{}] },
      },
    });
    serve({
      'POST /api/v1/price': () => ({
        data: { figures: { ...FIGURES, per: 'trip', basis: 'day', expiry: '2026-11-22' } },
      }),
    });
    show(ROUTES, '/');
    await waitFor(() => {
      const figure = screen.getByText('Your Premium', { selector: 'h2' }).parentElement;
      expect(figure?.textContent).toContain('from £48.16 a day');
    });
    expect(screen.queryByText('How your price is made up')).toBeNull();
    expect(await screen.findByText('22/11/2026 to ?')).toBeTruthy();
  });

  test('asks nothing about a visitor who never logged in here', async () => {
    const calls = serve();
    forgetLogin();
    show(ROUTES, '/');
    await screen.findByRole('button', { name: /^Next/ });
    expect(sent(calls, 'GET /api/v1/profile')).toEqual([]);
  });

  test('whose questions could not be loaded says so in their place, and asks again', async () => {
    let failing = true;
    serve({
      'GET /api/v2/openapi/product/{id}': forId('breakdown', () =>
        failing ? refuse(422, 'No') : undefined,
      ),
    });
    show(ROUTES, '/');
    await screen.findByText('The questions could not be loaded. Nothing you typed is lost.');
    expect(screen.queryByRole('heading')).toBeNull();
    expect(screen.queryByText(/could not be found/)).toBeNull();
    failing = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('button', { name: /^Next/ });
  });

  test('starts with the first question and Back disabled', async () => {
    serve();
    await begin('/');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(PRODUCT.info.headline);
    expect(screen.getByRole('group', { name: 'What would you like to cover?' })).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Back' }).disabled).toBe(true);
    expect(await screen.findByText('Got any questions or need a hand?')).toBeTruthy();
  });

  test('stays where the errors are, in the words of the server', async () => {
    serve({
      'POST /api/v1/form/{id}/check': () => ({
        data: formChecked({ cover_type: 'Choose personal or vehicle cover' }),
      }),
    });
    const { user } = await begin('/');
    await user.click(next());
    const summary = await screen.findByRole('alert', { name: 'There is a problem' });
    expect(within(summary).getByText('Choose personal or vehicle cover')).toBeTruthy();
    // The browser finds the missing cover level. The server named no error for it.
    expect(within(summary).getAllByRole('link')).toHaveLength(2);
    await waitFor(() => expect(document.title).toMatch(/^Error: Cover type/));
    expect(screen.getByRole('button', { name: /Cover type \(2 errors\)/ })).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.id).toBe('error-summary'));
  });

  test('goes on without errors, after saying to wait', async () => {
    serve();
    const { user } = await begin('/');
    await user.click(screen.getByRole('radio', { name: 'Vehicle' }));
    await user.click(screen.getByRole('radio', { name: 'National' }));
    await user.click(next());
    expect(screen.getByText('Please wait...')).toBeTruthy();
    await screen.findByRole('heading', { level: 1, name: 'Your details' });
    await waitFor(() => expect(window.location.search).toBe('?step=2'));
  });

  test('shows a spinner and takes no press for as long as it is being saved', async () => {
    let saved: () => void = () => {};
    const saving = new Promise<void>((resolve) => {
      saved = resolve;
    });
    writeDraft('breakdown', { answers: COMPLETE });
    const calls = serve({
      [CREATE]: async () => {
        await saving;
        return { data: createdQuote(UUID, 'BRK000000017') };
      },
    });
    const { user } = await begin('/?step=3');
    await user.click(next());
    const button = await screen.findByRole('button', { name: 'Please wait...' });
    await waitFor(() => expect(sent(calls, CREATE)).toHaveLength(1));
    expect(button.querySelector('[aria-hidden="true"]')?.className).toMatch(/spinner/);
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await user.click(button);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Back' }).disabled).toBe(true);
    // The wait has no limit.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(screen.getByRole('button', { name: 'Please wait...' })).toBe(button);
    saved();
    await screen.findByText('The saved quote');
    expect(sent(calls, CREATE)).toHaveLength(1);
  });

  test('a header leads no further than the earliest step with errors', async () => {
    serve();
    const { user } = await begin('/');
    await user.click(screen.getByRole('radio', { name: 'Vehicle' }));
    await user.click(screen.getByRole('radio', { name: 'National' }));
    await user.click(screen.getByRole('button', { name: /Step 4/ }));
    await screen.findByRole('heading', { level: 1, name: 'Your details' });
    await waitFor(() => expect(document.activeElement?.id).toBe('error-summary'));
  });

  test('an address leads no further than the earliest step with errors either', async () => {
    serve();
    await begin('/?step=3');
    await waitFor(() => expect(window.location.search).toBe(''));
  });

  test('a word in the address chooses in advance, and an unknown one is no page', async () => {
    serve();
    await begin('/breakdown/national');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'National' }).checked).toBe(true);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    show(ROUTES, '/breakdown/nonsense');
    await screen.findByText(/The requested page could not be found/);
  });

  test('what was typed is kept, restored and can be thrown away', async () => {
    serve();
    const { user } = await begin('/');
    await user.click(screen.getByRole('radio', { name: 'Personal' }));
    expect(readDraft('breakdown')?.answers.values.cover_type).toBe(1);

    document.body.replaceChildren();
    await begin('/');
    expect(screen.getByText(/We kept your answers/)).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Personal' }).checked).toBe(true);

    const main = document.createElement('main');
    Object.assign(main, { id: 'main', tabIndex: -1 });
    document.body.append(main);
    const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
    saveToken(UUID, 'secret');
    writeLastQuote('gadget', { uuid: UUID, custom_id: 'GAD100000001' });
    const [clear] = screen.getAllByRole('button', { name: 'Clear my answers' });
    await user.click(clear as HTMLElement);
    const dialog = within(await screen.findByRole('dialog', { name: 'Clear your answers?' }));
    await waitFor(() =>
      expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Keep my answers' })),
    );
    // Clearing the answers also removes the tokens of policies.
    expect(dialog.getByText(/the quotes and policies of this browser/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Clear my answers' }));
    await waitFor(() =>
      expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Personal' }).checked).toBe(false),
    );
    await waitFor(() => expect(document.activeElement).toBe(main));
    expect(scroll).toHaveBeenCalledWith(0, 0);
    scroll.mockRestore();
    main.remove();
    expect(readDraft('breakdown')).toBeNull();
    expect(tokenFor(UUID)).toBeNull();
    expect(readLastQuote('gadget')).toBeNull();
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Clear my answers' })).toBeNull(),
    );
  });

  test('one of two vehicles is removed, the last one cleared, each after a question', async () => {
    serve();
    writeDraft('breakdown', { answers: COMPLETE });
    const { user } = await begin('/?step=2');
    const mark = () =>
      screen
        .getAllByRole<HTMLInputElement>('textbox', { name: 'Registration number' })
        .map((input) => input.value);

    await user.click(screen.getByRole('button', { name: /^Add Another/ }));
    await user.type(
      screen.getAllByRole('textbox', { name: 'Registration number' })[1] as HTMLElement,
      'yx63 abc',
    );
    expect(mark()).toEqual(['AB12 CDE', 'YX63 ABC']);

    await user.click(screen.getByRole('button', { name: 'Remove Vehicle 1' }));
    await screen.findByText('Are you sure you wish to remove this vehicle?');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(mark()).toHaveLength(2);

    await user.click(screen.getByRole('button', { name: 'Remove Vehicle 1' }));
    await user.click(await screen.findByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(mark()).toEqual(['YX63 ABC']));

    await user.click(screen.getByRole('button', { name: 'Clear Vehicle 1' }));
    await screen.findByText("Are you sure you wish to clear all your vehicle's details?");
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(mark()).toEqual(['']));
  });

  test('is saved on leaving the options, and its draft is gone then', async () => {
    const calls = serve({
      [CREATE]: forId('breakdown', () => ({ data: createdQuote(UUID, 'BRK1') })),
    });
    writeDraft('breakdown', { answers: COMPLETE });
    const { user } = await begin('/?step=3');
    await user.click(next());
    await screen.findByText('The saved quote');
    await waitFor(() =>
      expect(window.location).toMatchObject({
        pathname: `/quote/edit/${UUID}`,
        search: '?step=4',
      }),
    );
    const [create] = sent(calls, CREATE);
    expect(create?.headers.get('Idempotency-Key')).toBeTruthy();
    expect(create?.body).toMatchObject({ product: { values: { first_name: 'Ann' } } });
    expect(calls.some((call) => call.headers.get('Authorization') === 'Bearer secret')).toBe(true);
    expect(screen.getByText('Quote created successfully.')).toBeTruthy();
    expect(readDraft('breakdown')).toBeNull();
  });

  test('a refusal lands on its field, and nothing typed is lost', async () => {
    const errors = { postcode_primary: ['Enter a real postcode'] };
    serve({ [CREATE]: forId('breakdown', () => refuse(422, 'No', { errors })) });
    writeDraft('breakdown', { answers: COMPLETE });
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
    const { user } = await begin('/?step=3');
    await user.click(next());
    await screen.findByRole('heading', { level: 1, name: 'Your details' });
    expect(screen.getByText('Error. Please correct the form and try again.')).toBeTruthy();
    await waitFor(() => expect(window.location.search).toBe('?step=2'));
    await waitFor(() => expect(document.activeElement?.id).toBe('error-summary'));
    const scrolledElement = scroll.mock.contexts.at(-1) as Element;
    expect(scrolledElement.querySelector('#answer-postcode_primary')).toBeTruthy();
    expect(readDraft('breakdown')?.answers.values.first_name).toBe('Ann');
  });
});

describe('somebody who is logged in', () => {
  const ANN = profileOf({
    user_uuid: '0197f3c2-0000-7000-8000-00000000000a',
    first_name: 'Ann',
    tel_primary: '0113 496 0000',
  });

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const being = (person: Profile): Server => ({ 'GET /api/v1/profile': () => person });

  const openStep = async (step: number) => {
    const opened = await begin(`/?step=${step}`);
    const written = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name }).value;
    return { ...opened, written };
  };

  const draftStarted = () => {
    const { first_name, tel_primary, ...values } = COMPLETE.values;
    writeDraft('breakdown', { answers: { ...COMPLETE, values } });
  };

  test('leaves nothing of theirs in the form of whoever comes next', async () => {
    draftStarted();
    serve(being(ANN));
    const first = await openStep(2);
    await waitFor(() => expect(first.written('First name')).toBe('Ann'));
    await waitFor(() => expect(readDraft('breakdown')?.answers.values.first_name).toBe('Ann'));

    cleanup();
    serve();
    const next = await openStep(2);
    await waitFor(() => expect(next.written('First name')).toBe(''));
    const { values } = readDraft('breakdown')?.answers ?? {};
    expect(values).not.toHaveProperty('first_name');
    expect(values).not.toHaveProperty('tel_primary');
    expect(values).toHaveProperty('last_name');
  });

  test('finds their own answers again', async () => {
    draftStarted();
    serve(being(ANN));
    const first = await openStep(2);
    await waitFor(() => expect(first.written('First name')).toBe('Ann'));
    cleanup();
    serve(being(ANN));
    const secondStep = await openStep(2);
    expect(secondStep.written('First name')).toBe('Ann');
  });
});
