import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { refuse } from '../../api/testing';
import {
  ADDRESS,
  AGE,
  boat,
  boxOf,
  FIESTA,
  fillIn,
  press,
  removeCard,
  shown,
  VEHICLE,
} from '../lookups/testing';
import type { FoundAddress } from '../types';

const HOUSE: FoundAddress = {
  id: '12',
  label: '12 Orchard Close, Bath',
  line1: '12 Orchard Close',
  line2: null,
  line3: '',
  town: 'Bath',
  postcode: 'BA1 2QP',
  latitude: 51.38,
  longitude: -2.36,
  sample: false,
};

const berths = () => shown.answers.multi.berths;
const AGES = [AGE, { ...AGE, path: 'boats.1.mark', fills: 'boats.1.since' }];

/** Builds a response that is sent when the test calls `come`. */
function delayedAnswer<T>(data: T) {
  let release = () => {};
  const reply = () => new Promise<T>((resolve) => (release = () => resolve(data)));
  return { reply, come: () => act(async () => release()) };
}

test('what another one costs is said where it is offered, and not past the most', () => {
  fillIn({}, { multi: { boats: [{}] } });
  expect(screen.getByText('A second boat costs less.')).toBeTruthy();
  cleanup();
  fillIn({}, { multi: { boats: Array.from({ length: 10 }, () => ({})) } });
  expect(screen.queryByText('A second boat costs less.')).toBeNull();
  cleanup();
  vi.unstubAllGlobals();
});

describe('once the card above it is removed', () => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  test('a card keeps the date that its plate told', async () => {
    const unavailable = { [VEHICLE]: () => refuse(503, 'Off', { code: 'lookup_unavailable' }) };
    const boats = [{ mark: 'AB12 CDE' }, { mark: 'CD12 EFG' }];
    const { user } = fillIn(unavailable, { multi: { boats } }, AGES);
    for (const index of [0, 1]) {
      await waitFor(() =>
        expect(screen.getAllByRole('button', { name: 'Yes' })).toHaveLength(2 - index),
      );
      await user.click(screen.getAllByRole('button', { name: 'Yes' })[0] as HTMLElement);
    }
    const since = '01.03.2012';
    expect(shown.answers.multi.boats?.map((each) => each.since)).toEqual([since, since]);
    await removeCard(user, 'Boats 1');
    await waitFor(() => expect(shown.answers.multi.boats).toHaveLength(1));
    await screen.findByText('First registered March to August 2012');
    expect(boat()).toMatchObject({ mark: 'CD12 EFG', since });
  });

  test('a vehicle that is being looked up is found for its own card', async () => {
    const answer = delayedAnswer({ data: { ...FIESTA, registration: 'CD12 EFG' } });
    const typed = { mark: 'AB12 CDE', since: '14.04.2012' };
    const boats = [typed, { mark: 'CD12 EFG' }];
    const { user } = fillIn({ [VEHICLE]: answer.reply }, { multi: { boats } });
    await screen.findByText('Looking for your vehicle…');
    await removeCard(user, 'Boats 1');
    await waitFor(() => expect(shown.answers.multi.boats).toHaveLength(1));
    await answer.come();
    await user.click(await screen.findByRole('button', { name: 'Yes, it is' }));
    expect(boat()).toMatchObject({ mark: 'CD12 EFG', maker: 'FORD' });
    expect(shown.lookups.map(({ path }) => path)).toEqual(['boats.0.mark']);
  });

  test('an address that is being looked up goes to its own card, and so does its place', async () => {
    const answer = delayedAnswer({ data: [HOUSE] });
    const multi = { boats: [{}], berths: [{ berth_code: 'M1 1AE' }, { berth_code: 'BA1 2QP' }] };
    const { user } = fillIn({ [ADDRESS]: answer.reply }, { multi });
    await user.click(screen.getAllByRole('button', { name: 'Find address' }).at(-1) as HTMLElement);
    await screen.findByText('Looking for your address…');
    await removeCard(user, 'Berths 1');
    await waitFor(() => expect(berths()).toHaveLength(1));
    await answer.come();
    await waitFor(() =>
      expect(berths()).toEqual([{ berth_code: 'BA1 2QP', berth_lines: '12 Orchard Close\nBath' }]),
    );
    expect(shown.answers.home?.path).toBe('berths.0.berth_code');
  });

  test('the address of a removed card does not move to the next card', async () => {
    const answer = delayedAnswer({ data: [HOUSE] });
    const multi = { boats: [{}], berths: [{ berth_code: 'BA1 2QP' }, { berth_code: 'M1 1AE' }] };
    const { user } = fillIn({ [ADDRESS]: answer.reply }, { multi });
    // The typed house number must not appear in the other card's address.
    await user.type(screen.getAllByLabelText('House number or name')[1] as HTMLElement, '12');
    await user.click(screen.getAllByRole('button', { name: 'Find address' })[1] as HTMLElement);
    await screen.findByText('Looking for your address…');
    await removeCard(user, 'Berths 1');
    await waitFor(() => expect(berths()).toHaveLength(1));
    await answer.come();
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(berths()).toEqual([{ berth_code: 'M1 1AE' }]);
    expect(shown.answers.home).toBeUndefined();
  });

  test('the focus stays in its field', async () => {
    const boats = ['14.04.2012', '15.05.2013'].map((since) => ({ mark: 'AB12 CDE', since }));
    const { user } = fillIn({}, { multi: { boats } });
    const box = screen.getAllByLabelText('Date of first registration')[1] as HTMLInputElement;
    await removeCard(user, 'Boats 1');
    await waitFor(() => expect(shown.answers.multi.boats).toHaveLength(1));
    expect(boxOf('Date of first registration')).toBe(box);
    expect(box.value).toBe('15/05/2013');
    expect(press(/^Clear/)).toBeTruthy();
  });
});
