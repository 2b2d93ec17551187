import { readFileSync } from 'node:fs';
import { screen, waitFor, within } from '@testing-library/dom';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cardWith, policyWith } from '../testing/rescueCard';
import { cssVariables } from '../theme';
import { type CardView, showCard, showNone } from './renderCard';

const NO_ACTIONS = { remove: async () => {}, install: async () => {} };

function shown(changes: Partial<CardView> = {}, actions = NO_ACTIONS, card = cardWith()) {
  const view = {
    offline: false,
    saved: new Set<string>(),
    offer: null,
    isRevoked: false,
    ...changes,
  };
  const stored = { key: 'k', card };
  const root = document.body.firstElementChild as HTMLElement;
  showCard(root, { ...view, stored }, actions);
  return root;
}

beforeEach(() => {
  document.body.innerHTML = '<div></div>';
  vi.useFakeTimers({ now: Date.parse('2026-11-26T12:00:00Z'), toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the rescue card', () => {
  test('has the state, the plates, the policy number and one tap to call', () => {
    const root = shown();
    expect(screen.getByText('Covered').closest('section')?.dataset.state).toBe('covered');
    expect(root.textContent).toContain('Until the end of Wednesday 24 November 2027.');
    const plates = within(screen.getByRole('list', { name: 'Vehicles' })).getAllByRole('listitem');
    expect(plates.map((plate) => plate.textContent)).toEqual(['AB12 CDE', 'K1 NGS']);
    expect(root.textContent).toContain('BRK000000018');
    expect(root.textContent).toContain('Vehicle cover · National cover');
    const call = screen.getByRole('link', { name: /^Call for help/ });
    expect(call.getAttribute('href')).toBe('tel:01632960999');
  });

  test('says the moment from which there is cover', () => {
    vi.setSystemTime(Date.parse('2026-11-24T12:00:00Z'));
    const root = shown();
    expect(root.textContent).toContain('Not yet covered');
    expect(root.textContent).toContain('Cover begins at 00:00 on Wednesday 25 November 2026.');
  });

  test('says what was cancelled, and sends no place of it', () => {
    const policies = [policyWith({ status: 'cancelled', cover_periods: [] })];
    const root = shown({}, NO_ACTIONS, cardWith({ policies }));
    expect(root.textContent).toContain('This policy was cancelled. It covers nothing.');
    expect(screen.queryByRole('button', { name: 'Find where I am' })).toBeNull();
    expect(screen.getByRole('link', { name: /^Call for help/ })).toBeTruthy();
  });

  test('opens the documents that are on the device, and names those that are not', () => {
    shown({ offline: true });
    expect(screen.queryByRole('link', { name: 'Policy Schedule' })).toBeNull();
    expect(screen.getByText('not on this phone yet')).toBeTruthy();
    shown({ saved: new Set(['d1']) });
    const link = screen.getByRole('link', { name: 'Policy Schedule' });
    expect(link.getAttribute('href')).toBe('/rescue-card/documents/d1.pdf');
  });

  test('says without a network how old it is', () => {
    const root = shown({ offline: true });
    expect(root.textContent).toContain(
      'This is how it stood at 12:00 on Saturday 21 November 2026.',
    );
    expect(root.textContent).not.toContain('Go online once');
    vi.setSystemTime(Date.parse('2026-12-26T12:00:00Z'));
    shown({ offline: true });
    expect(root.textContent).toContain('Go online once to be sure that it still does.');
  });

  test('says what is kept, and is removed by one tap', async () => {
    const remove = vi.fn(async () => {});
    const root = shown({}, { ...NO_ACTIONS, remove });
    expect(root.textContent).toContain('a key that brings it up to date');
    expect(root.textContent).toContain('log out of your account in this browser');
    await userEvent.click(screen.getByRole('button', { name: 'Remove this card' }));
    expect(remove).toHaveBeenCalledOnce();
  });

  test('that is stopped says so and has nothing more of the policy', () => {
    const root = shown({ isRevoked: true });
    expect(root.textContent).toContain('It is removed from this device.');
    expect(root.textContent).not.toContain('BRK000000018');
    expect(screen.getByRole('link', { name: /^Call for help/ })).toBeTruthy();
  });

  test('keeps the place that was found when the rest is shown anew', async () => {
    const position = { coords: { latitude: 51.5, longitude: -0.1, accuracy: 9 } };
    vi.stubGlobal('navigator', {
      geolocation: {
        getCurrentPosition: (onSuccess: (place: object) => void) => onSuccess(position),
      },
    });
    shown({}, NO_ACTIONS, cardWith({ assistance_text: '07700 900 999' }));
    screen.getByRole('button', { name: 'Find where I am' }).click();
    const link = await screen.findByRole('link', { name: 'Text it to 07700 900 999' });
    expect(link.getAttribute('href')).toMatch(/^sms:07700900999\?&body=I%20have%20broken%20down/);
    shown({ offline: true });
    await waitFor(() => expect(screen.getByText('51.50000, -0.10000')).toBeTruthy());
  });

  test('that is not kept says how to keep one', () => {
    showNone(document.body.firstElementChild as HTMLElement, '01632 960 999');
    expect(screen.getByRole('link', { name: /^Call for help/ })).toBeTruthy();
    expect(screen.getByRole('heading').textContent).toBe('No rescue card is kept here');
  });
});

test('the card wears the colours of the theme', () => {
  const css = readFileSync('src/rescue-card/card.css', 'utf8');
  const { light } = cssVariables(undefined as never);
  for (const [own, theirs] of [
    ['page', 'page'],
    ['ink', 'ink'],
    ['border', 'border'],
    ['edge', 'edge'],
    ['action', 'action'],
    ['amber', 'amber'],
    ['green', 'green'],
    ['red', 'red'],
    ['night-text', 'night-text'],
  ]) {
    expect(css).toContain(`--${own}: ${light[`--layby-${theirs}`]};`);
  }
});
