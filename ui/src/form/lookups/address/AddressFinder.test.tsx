import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { answerCalls, refuse, sent } from '../../../api/testing';
import type { FoundAddress } from '../../types';
import { ADDRESS, boxOf, fillIn, press, shown } from '../testing';

const house = (number: number): FoundAddress => ({
  id: String(number),
  label: `${number} Orchard Close, Bath`,
  line1: `${number} Orchard Close`,
  line2: null,
  line3: '',
  town: 'Bath',
  postcode: 'BA1 2QP',
  latitude: null,
  longitude: null,
  sample: false,
});

const values = () => shown.answers.values;
const postcode = () => screen.getByLabelText<HTMLInputElement>('Postcode');

describe('an address', () => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  test('is the only one of its postcode and house, and is chosen by itself', async () => {
    const { calls, user } = fillIn({ [ADDRESS]: () => ({ data: [house(12)] }) });
    expect(boxOf('Address')).toBeNull();
    await user.type(postcode(), 'ba12qp');
    await user.type(screen.getByLabelText('House number or name'), '12{Enter}');
    await screen.findByText('We found one address and filled it in.');
    expect(sent(calls, ADDRESS).map(({ body }) => body)).toEqual([
      { postcode: 'BA1 2QP', house: '12' },
    ]);
    expect(values()).toMatchObject({ code: 'BA1 2QP', lines: '12 Orchard Close\nBath' });
    await user.click(press('Change this address'));
    expect(boxOf('Address')?.value).toBe('12 Orchard Close\nBath');
  });

  test('is chosen among several', async () => {
    const { user } = fillIn({ [ADDRESS]: () => ({ data: [house(1), house(2), house(3)] }) });
    await user.type(postcode(), 'BA1 2QP');
    await user.click(press('Find address'));
    await screen.findByText('We found 3 addresses. Choose yours.');
    expect(values().lines).toBeUndefined();
    await user.click(screen.getByRole('radio', { name: '2 Orchard Close, Bath' }));
    expect(values().lines).toBe('2 Orchard Close\nBath');
    // The addresses of another postcode are removed.
    await user.type(postcode(), '{Backspace}X');
    expect(screen.queryByRole('radio')).toBeNull();
    expect(values().lines).toBeNull();
  });

  test('has a position, unless it is a sample', async () => {
    const place = { latitude: 51.38, longitude: -2.36 };
    const messages = [
      { ...house(1), ...place },
      { ...house(2), ...place, sample: true },
    ];
    const { user } = fillIn({ [ADDRESS]: () => ({ data: messages }) });
    await user.type(postcode(), 'BA1 2QP');
    await user.click(press('Find address'));
    await user.click(await screen.findByRole('radio', { name: /^1 / }));
    expect(shown.answers.home).toEqual({ path: 'code', postcode: 'BA1 2QP', ...place });
    await user.click(screen.getByRole('radio', { name: /^2 / }));
    expect(shown.answers.home).toBeUndefined();
  });

  test('that was typed is not kept unseen while another is looked for, and comes back', async () => {
    const { user } = fillIn({ [ADDRESS]: () => ({ data: [house(1), house(2)] }) });
    await user.click(press('Type the address'));
    await user.type(await screen.findByLabelText('Address'), '1 Mill Lane');
    await user.click(press('Find the address by its postcode'));
    expect(values().lines).toBeNull();
    await user.click(press('Type the address'));
    expect(boxOf('Address')?.value).toBe('1 Mill Lane');
  });

  test('is typed from the start, and keeps the house that was typed', async () => {
    const { calls, user } = fillIn({});
    await user.type(screen.getByLabelText('House number or name'), '12');
    await user.click(press('Type the address'));
    const box = await screen.findByLabelText<HTMLInputElement>('Address');
    expect(box.value).toBe('12');
    await user.type(box, ' Orchard Close, Bath');
    await user.type(postcode(), 'BA1 2QP');
    expect(values()).toMatchObject({ code: 'BA1 2QP', lines: '12 Orchard Close, Bath' });
    expect(sent(calls, ADDRESS)).toEqual([]);
  });

  test('that is known already is shown as it is, and may be cleared to type another', async () => {
    const { user } = fillIn({}, { values: { code: 'BA1 2QP', lines: '1 Mill Lane' } });
    const box = screen.getByLabelText<HTMLInputElement>('Address');
    expect(box.value).toBe('1 Mill Lane');
    await user.clear(box);
    await user.type(box, '2 Mill Lane');
    expect(boxOf('Address')).toBe(box);
    expect(values().lines).toBe('2 Mill Lane');
  });

  test('whose house is not there has those that are suggested', async () => {
    const { calls, user } = fillIn({
      [ADDRESS]: ({ body }) => (body.house === '99' ? undefined : { data: [house(9)] }),
    });
    const realFetch = globalThis.fetch;
    vi.stubGlobal('fetch', async (request: Request) => {
      const copy = request.clone();
      if (request.url.includes('lookup/address') && (await copy.text()).includes('99')) {
        const body = {
          message: 'No',
          error: 'No',
          code: 'not_found',
          suggestions: ['9 Orchard Close'],
        };
        return Response.json(body, { status: 404 });
      }
      return realFetch(request);
    });
    await user.type(postcode(), 'BA1 2QP');
    await user.type(screen.getByLabelText('House number or name'), '99{Enter}');
    await screen.findByText(/couldn't find that at BA1 2QP/);
    await user.click(press('9 Orchard Close'));
    await screen.findByText('We found one address and filled it in.');
    expect(sent(calls, ADDRESS).at(-1)?.body.house).toBe('9 Orchard Close');
  });

  test('of Jersey is typed, and nothing typed is lost', async () => {
    const { user } = fillIn({ [ADDRESS]: () => refuse(404, 'No') });
    await user.type(postcode(), 'JE2 3AB');
    await user.click(press('Find address'));
    await screen.findByText("We couldn't find that at JE2 3AB. Check it, or type the address.");
    await user.click(press('Type the address'));
    await screen.findByLabelText('Address');
    expect(postcode().value).toBe('JE2 3AB');
  });

  for (const [name, status] of [
    ['down', 503],
    ['asked too often', 429],
  ] as const) {
    test(`whose look-up is ${name} is typed`, async () => {
      const { user } = fillIn({ [ADDRESS]: () => refuse(status, 'No') });
      await user.type(postcode(), 'BA1 2QP');
      await user.type(screen.getByLabelText('House number or name'), '12{Enter}');
      await screen.findByText("We couldn't look up addresses just now. Please type yours.");
      expect(boxOf('Address')?.value).toBe('12');
      expect(postcode().value).toBe('BA1 2QP');
    });
  }

  test('whose look-up answers markup is typed', async () => {
    const { user } = fillIn({});
    answerCalls(() => new Response('<!doctype html>'));
    await user.type(postcode(), 'BA1 2QP');
    await user.click(press('Find address'));
    await screen.findByText(/couldn't look up addresses/);
  });

  test('that is typed meanwhile takes no late answer', async () => {
    let answer = () => {};
    const { user } = fillIn({
      [ADDRESS]: () => new Promise((resolve) => (answer = () => resolve({ data: [house(12)] }))),
    });
    await user.type(postcode(), 'BA1 2QP');
    await user.click(press('Find address'));
    await screen.findByText('Looking for your address…');
    await user.click(press('Type the address'));
    await user.type(await screen.findByLabelText('Address'), '1 Mill Lane');
    await act(async () => answer());
    await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(values().lines).toBe('1 Mill Lane');
  });

  test('is not searched by half a postcode', async () => {
    const { calls, user } = fillIn({});
    await user.type(postcode(), 'BA1');
    await user.click(press('Find address'));
    await screen.findByText('Enter a full UK postcode such as BA1 2QP');
    expect(sent(calls, ADDRESS)).toEqual([]);
  });
});

test('of two telephones one is asked, and the other only shows where it is answered', async () => {
  fillIn({});
  expect(boxOf('Mobile')).toBeTruthy();
  expect(boxOf(/Another telephone/)).toBeNull();
  cleanup();
  const { user } = fillIn({}, { values: { phone: '020 7946 0018' } });
  expect(boxOf('Mobile (optional)')).toBeTruthy();
  // The cleared field stays, for another answer.
  const other = screen.getByLabelText(/Another telephone/);
  await user.clear(other);
  await user.type(other, '020 7946 0000');
  expect(values().phone).toBe('020 7946 0000');
});
