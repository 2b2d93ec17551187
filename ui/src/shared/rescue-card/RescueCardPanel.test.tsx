import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storedCard } from '../../api/policies/rescueCard';
import { refuse, type Server, sent } from '../../api/testing';
import { cardWith, FakeCaches, FakeLocks } from '../../testing/rescueCard';
import { serve, show } from '../../testing/server';
import { RescueCardPanel } from './RescueCardPanel';

const KEEP = 'POST /api/v1/policy/{id}/rescue-card';
const STOP = 'POST /api/v1/policy/{id}/rescue-card/stop';
const UUID = '01937000-0000-7000-8000-000000000001';

const assign = vi.fn();

beforeEach(() => {
  assign.mockReset();
  vi.stubGlobal('caches', new FakeCaches());
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: {} });
  Object.defineProperty(navigator, 'locks', { configurable: true, value: new FakeLocks() });
  vi.spyOn(window.location, 'assign').mockImplementation(assign);
});

afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
  Reflect.deleteProperty(navigator, 'locks');
  vi.unstubAllGlobals();
});

function open(server: Server, owner = true) {
  const calls = serve(server);
  show({ '/': <RescueCardPanel uuid={UUID} product="breakdown" owner={owner} /> }, '/');
  return calls;
}

const cardWithKey = (key: string) => ({ data: { key, card: cardWith() } });

test('nothing is stored before the tap, and after it the card opens', async () => {
  const calls = open({ [KEEP]: () => cardWithKey('a.b') });
  const button = await screen.findByRole('button', { name: 'Keep this on my phone' });
  // The card finds and shows the position. Only the visitor's own message sends the position.
  expect(screen.getByText('where you are, to send in a text')).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/tap to send/);
  expect(await storedCard()).toBeNull();
  expect(sent(calls, KEEP)).toEqual([]);
  await userEvent.dblClick(button);
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/rescue-card'));
  expect(await storedCard()).toEqual(cardWithKey('a.b').data);
  expect(sent(calls, KEEP)).toHaveLength(1);
});

test('a refused card shows the reason, and nothing is stored', async () => {
  open({ [KEEP]: () => refuse(422, 'This policy covers nothing any more.') });
  await userEvent.click(await screen.findByRole('button', { name: 'Keep this on my phone' }));
  await screen.findByText('This policy covers nothing any more.');
  expect(await storedCard()).toBeNull();
  expect(assign).not.toHaveBeenCalled();
});

test('a browser without storage says so', async () => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
  open({});
  await screen.findByText(/^This browser can not keep it/);
  expect(screen.queryByRole('button', { name: 'Keep this on my phone' })).toBeNull();
});

test('the owner stops the cards on every device', async () => {
  open({ [STOP]: () => ({ data: { stopped: 2 } }) });
  await userEvent.click(await screen.findByRole('button', { name: /^Lost a phone/ }));
  await screen.findByText(/^2 cards are stopped/);
});

test('other policies offer no card', async () => {
  open({}, false);
  await screen.findByRole('button', { name: 'Keep this on my phone' });
  expect(screen.queryByRole('button', { name: /^Lost a phone/ })).toBeNull();
});
