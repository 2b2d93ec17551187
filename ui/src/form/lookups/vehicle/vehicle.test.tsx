import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { answerCalls, refuse, sent } from '../../../api/testing';
import { AGE, boat, boxOf, FIESTA, fillIn, mark, press, shown, VEHICLE } from '../testing';

const found = () => ({ data: FIESTA });
const DATE = 'Date of first registration';

describe('a registration', () => {
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('is looked up, and the vehicle is recognised with one press', async () => {
    const { calls, user } = fillIn({ [VEHICLE]: found });
    expect(boxOf(DATE)).toBeNull();
    await user.type(mark(), 'ab12cde{Enter}');
    await screen.findByRole('heading', { name: 'Is this your vehicle?' });
    expect(sent(calls, VEHICLE).map(({ body }) => body.registration)).toEqual(['AB12CDE']);
    for (const text of ['Ford', 'Fiesta', 'Blue', 'Petrol', 'March 2012']) screen.getByText(text);
    expect(screen.queryByText(/sample data/)).toBeNull();
    expect(boxOf(DATE)).toBeNull();
    await user.click(press('Yes, it is'));
    expect(boat()).toMatchObject({ since: '01.03.2012', maker: 'FORD', model: 'FIESTA' });
    expect(shown.lookups).toEqual([{ path: 'boats.0.mark', id: FIESTA.lookup_id, answer: 'yes' }]);
    await screen.findByRole('heading', { name: /Your vehicle/ });
    expect(boxOf(DATE)).toBeNull();
  });

  test('that was typed on another page is looked up by itself', async () => {
    fillIn({ [VEHICLE]: found }, { multi: { boats: [{ mark: 'AB12 CDE' }] } });
    await screen.findByRole('heading', { name: 'Is this your vehicle?' });
  });

  test('of a saved answer is left alone until another one is typed', async () => {
    const stored = { mark: 'AB12 CDE', since: '14.04.2012' };
    const { calls, user } = fillIn({ [VEHICLE]: found }, { multi: { boats: [stored] } });
    expect(boxOf(DATE)?.value).toBe('14/04/2012');
    expect(screen.queryByRole('button', { name: 'Find my vehicle' })).toBeNull();
    expect(sent(calls, VEHICLE)).toEqual([]);
    await user.clear(mark());
    await user.type(mark(), 'CD12 EFG');
    press('Find my vehicle');
  });

  test('of a saved answer keeps the box of its date while that is cleared to be typed anew', async () => {
    const stored = { mark: 'AB12 CDE', since: '14.04.2012' };
    const { user } = fillIn({ [VEHICLE]: found }, { multi: { boats: [stored] } });
    const box = screen.getByLabelText<HTMLInputElement>(DATE);
    await user.clear(box);
    expect(boat().since).toBeFalsy();
    await user.type(box, '15/04/2012');
    expect(boxOf(DATE)).toBe(box);
    expect(boat().since).toBe('15.04.2012');
  });

  test('keeps an optional detail that it does not know while that is cleared to be typed anew', async () => {
    const { user } = fillIn(
      { [VEHICLE]: () => ({ data: { ...FIESTA, model: null } }) },
      { multi: { boats: [{ model: 'Escort' }] } },
    );
    await user.type(mark(), 'AB12 CDE{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Yes, it is' }));
    const box = screen.getByLabelText<HTMLInputElement>('Model (optional)');
    await user.clear(box);
    expect(boat().model).toBeFalsy();
    await user.type(box, 'Fiesta');
    expect(boxOf('Model (optional)')).toBe(box);
    expect(boat().model).toBe('Fiesta');
  });

  test('says when what is shown is made up', async () => {
    const { user } = fillIn({ [VEHICLE]: () => ({ data: { ...FIESTA, sample: true } }) });
    await user.type(mark(), 'AB12 CDE{Enter}');
    await screen.findByText(/This is sample data: what we say of AB12 CDE is made up/);
  });

  test('says what the product says of an MOT and a tax that have run out', async () => {
    const mot = { status: 'expired', until: '2026-10-01' } as const;
    const tax = { status: 'sorn', until: null } as const;
    const { user } = fillIn({ [VEHICLE]: () => ({ data: { ...FIESTA, mot, tax } }) });
    await user.type(mark(), 'AB12 CDE{Enter}');
    await screen.findByText('The MOT ran out on 01/10/2026. See the wording.');
    screen.getByText('It is not taxed.');
  });

  test('is looked up again once another one is typed over a vehicle that was recognised', async () => {
    const other = {
      ...FIESTA,
      registration: 'CD12 EFG',
      model: 'FOCUS',
      first_registered: '2012-05',
    };
    const { user } = fillIn({
      [VEHICLE]: ({ body }) => (body.registration === 'CD12EFG' ? { data: other } : found()),
    });
    await user.type(mark(), 'AB12 CDE{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Yes, it is' }));
    await user.clear(mark());
    await user.type(mark(), 'CD12 EFG{Enter}');
    await screen.findByText('Focus');
    expect(boat()).toMatchObject({ since: null, model: null });
    await user.click(press('Yes, it is'));
    expect(boat()).toMatchObject({ since: '01.05.2012', model: 'FOCUS' });
  });

  test('of another vehicle is refused, and what it is is typed', async () => {
    const { user } = fillIn({ [VEHICLE]: found });
    await user.type(mark(), 'AB12 CDE{Enter}');
    await user.click(await screen.findByRole('button', { name: /type it myself/ }));
    await screen.findByText('First registered March to August 2012?');
    await user.click(press(/type the date/));
    await user.type(screen.getByLabelText(DATE), '14/04/2012');
    expect(boat()).toMatchObject({ since: '14.04.2012' });
    expect(boxOf('Make (optional)')?.value).toBe('');
    expect(shown.lookups.map(({ answer }) => answer)).toEqual(['no']);
  });

  test('recognised by mistake gives back what it had filled in', async () => {
    const { user } = fillIn({ [VEHICLE]: found });
    await user.type(mark(), 'AB12 CDE{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Yes, it is' }));
    await user.click(press(/Not your vehicle/));
    expect(boat()).toEqual({
      mark: 'AB12 CDE',
      since: null,
      colour: null,
      maker: null,
      model: null,
    });
    expect(shown.lookups.map(({ answer }) => answer)).toEqual(['no']);
  });

  const FAILURES = {
    'off, slow or down': () => refuse(503, 'No', { code: 'lookup_unavailable' }),
    'asked too often': () => refuse(429, 'No', { retryAfter: 60 }),
    'of another plate': () => ({ data: { ...FIESTA, registration: 'ZZ12 ZZZ' } }),
  };
  for (const [name, answer] of Object.entries(FAILURES)) {
    test(`whose look-up is ${name} leads to the fields to type into`, async () => {
      const { user } = fillIn({ [VEHICLE]: answer }, {}, []);
      await user.type(mark(), 'AB12 CDE{Enter}');
      await screen.findByText(
        "We couldn't look up your vehicle just now. Please type the details below.",
      );
      await screen.findByLabelText(DATE);
      expect(mark().value).toBe('AB12 CDE');
      expect(shown.lookups).toEqual([]);
    });
  }

  test('that nobody knows leads to the same fields, and says so', async () => {
    const { user } = fillIn({ [VEHICLE]: () => refuse(404, 'Unknown') }, {}, []);
    await user.type(mark(), 'AB12 CDE{Enter}');
    await screen.findByText("We couldn't find AB12 CDE. Check it, or type the details below.");
    await screen.findByLabelText(DATE);
  });

  test('whose look-up answers markup leads to the same fields', async () => {
    const { user } = fillIn({}, {}, []);
    answerCalls(({ path }) =>
      path.includes('lookup')
        ? new Response('<!doctype html><title>Login</title>')
        : Response.json({ data: { plates: [] } }),
    );
    await user.type(mark(), 'AB12 CDE{Enter}');
    await screen.findByText(/couldn't look up your vehicle/);
    await screen.findByLabelText(DATE);
  });

  test('that is invalid is an error before any request', async () => {
    const { calls, user } = fillIn({ [VEHICLE]: found });
    await user.type(mark(), 'HELLO{Enter}');
    await screen.findByText('Enter a UK registration number such as AB12 CDE');
    expect(sent(calls, VEHICLE)).toEqual([]);
  });

  test('is cancelled after two seconds, and its late response changes nothing', async () => {
    let answer = (_: { data: typeof FIESTA }) => {};
    const lateAnswer = new Promise<{ data: typeof FIESTA }>((resolve) => {
      answer = resolve;
    });
    const { user } = fillIn({ [VEHICLE]: () => lateAnswer }, {}, []);
    const startedAt = Date.now();
    await user.type(mark(), 'AB12 CDE{Enter}');
    await screen.findByText('Looking for your vehicle…');
    await screen.findByText(/couldn't look up your vehicle/, undefined, { timeout: 2900 });
    expect(Date.now() - startedAt).toBeLessThan(3000);
    await user.type(await screen.findByLabelText(DATE), '14/04/2012');
    await act(async () => answer(found()));
    await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(boat()).toEqual({ mark: 'AB12 CDE', since: '14.04.2012' });
    expect(screen.queryByText('Is this your vehicle?')).toBeNull();
  });

  test('that was changed meanwhile takes no answer of the one before', async () => {
    const waiting: (() => void)[] = [];
    const { user } = fillIn({
      [VEHICLE]: () => new Promise((resolve) => waiting.push(() => resolve(found()))),
    });
    await user.type(mark(), 'AB12 CDE{Enter}');
    await waitFor(() => expect(waiting).toHaveLength(1));
    await user.type(mark(), 'X');
    await act(async () => waiting[0]?.());
    await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(screen.queryByText('Is this your vehicle?')).toBeNull();
    expect(boat()).toEqual({ mark: 'AB12 CDEX' });
  });

  test('that says another month than was typed asks which is right', async () => {
    const stored = { mark: 'ZZ12 ZZZ', since: '14.04.2014' };
    const { user } = fillIn({ [VEHICLE]: found }, { multi: { boats: [stored] } });
    await user.clear(mark());
    await user.type(mark(), 'AB12 CDE{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Yes, it is' }));
    screen.getByText('You told us 14/04/2014. The records say March 2012.');
    await user.click(press('14/04/2014, as I typed'));
    expect(boat().since).toBe('14.04.2014');
    expect(shown.lookups.map(({ answer }) => answer)).toEqual(['no']);
  });

  test('that says another month than was typed may be believed', async () => {
    const stored = { mark: 'ZZ12 ZZZ', since: '14.04.2014' };
    const { user } = fillIn({ [VEHICLE]: found }, { multi: { boats: [stored] } });
    await user.clear(mark());
    await user.type(mark(), 'AB12 CDE{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Yes, it is' }));
    await user.click(press('March 2012'));
    expect(boat().since).toBe('01.03.2012');
    expect(shown.lookups.map(({ answer }) => answer)).toEqual(['yes']);
  });
});

describe('without a look-up the plate', () => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
  const unavailable = { [VEHICLE]: () => refuse(503, 'Off', { code: 'lookup_unavailable' }) };

  test('gives the half-year, which suffices where the month does not matter', async () => {
    const { user } = fillIn(unavailable);
    await user.type(mark(), 'AB12 CDE{Enter}');
    await screen.findByText('First registered March to August 2012?');
    await user.click(press('Yes'));
    expect(boat().since).toBe('01.03.2012');
    screen.getByText('First registered March to August 2012');
    await user.click(press('Change the date'));
    await user.type(await screen.findByLabelText(DATE), '2/5/2012');
    expect(boat().since).toBe('02.05.2012');
  });

  test('tells it for itself alone: another plate is asked about anew', async () => {
    const { user } = fillIn(unavailable);
    await user.type(mark(), 'AB12 CDE{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Yes' }));
    expect(boat().since).toBe('01.03.2012');
    await waitFor(() => expect(document.activeElement?.id).toBe('answer-boats-0-since'));
    await user.type(mark(), '{Backspace}F{Enter}');
    await waitFor(() => expect(boat().since).toBeNull());
    await screen.findByText('First registered March to August 2012?');
  });

  test('gives the half-year, and the month is asked where it matters', async () => {
    const { user } = fillIn(unavailable, {}, [{ ...AGE, matters: true }]);
    await user.type(mark(), 'AB12 CDE{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Yes' }));
    const months = await screen.findByLabelText<HTMLSelectElement>(DATE);
    expect([...months.options].map((option) => option.text)).toEqual([
      'Choose the month…',
      'March 2012',
      'April 2012',
      'May 2012',
      'June 2012',
      'July 2012',
      'August 2012',
    ]);
    await user.selectOptions(months, 'May 2012');
    expect(boat().since).toBe('01.05.2012');
  });
});

describe('on coming back', () => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
  const storedAnswers = (since: string, more: object = {}) => ({
    multi: { boats: [{ mark: 'AB12 CDE', since, ...more }] },
  });

  test('a half-year that was agreed is said, and no day of it', async () => {
    const { user } = fillIn({}, storedAnswers('01.03.2012'));
    await screen.findByText('First registered March to August 2012');
    expect(boxOf(DATE)).toBeNull();
    await user.click(press('Change the date'));
    await user.type(await screen.findByLabelText(DATE), '2/5/2012');
    expect(boat().since).toBe('02.05.2012');
  });

  test('a month that was chosen is chosen', async () => {
    fillIn({}, storedAnswers('01.05.2012'), [{ ...AGE, matters: true }]);
    const months = await screen.findByLabelText<HTMLSelectElement>(DATE);
    expect(months.selectedOptions[0]?.text).toBe('May 2012');
  });

  test('the month of a vehicle that was recognised is that of its record', async () => {
    fillIn({}, storedAnswers('01.03.2012', { colour: 'BLUE' }));
    await screen.findByText('First registered March 2012');
  });

  test('a day that was typed is a day, even where it is the first of its month', async () => {
    fillIn({}, storedAnswers('01.05.2012'));
    await waitFor(() => expect(boxOf(DATE)?.value).toBe('01/05/2012'));
    expect(boat().since).toBe('01.05.2012');
  });

  test('another plate is asked about anew', async () => {
    const { user } = fillIn({}, storedAnswers('01.03.2012'));
    await screen.findByText('First registered March to August 2012');
    await user.type(mark(), '{Backspace}F{Enter}');
    await waitFor(() => expect(boat().since).toBeNull());
  });

  test.each([
    ['a half-year', '01.03.2012', false, 'March to August 2012'],
    ['a month', '01.03.2012', true, 'March 2012'],
    ['a day', '14.03.2012', true, '14/03/2012'],
  ])('a closed card says %s as it was agreed', async (_, since, matters, text) => {
    fillIn({}, storedAnswers(since), [{ ...AGE, matters }], false);
    await screen.findByText(text);
  });
});
