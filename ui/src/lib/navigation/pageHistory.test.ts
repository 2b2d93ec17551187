import type { Location } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { confirm } from '../messages/confirm';
import { createPageHistory, type PageResult } from './pageHistory';

/** Creates a website whose pages load when the test says so. */
function website() {
  const loads: { path: string; resolve: (opened: PageResult<string>) => void }[] = [];
  const visits = createPageHistory<string>(
    (location: Location) =>
      new Promise((resolve) => {
        loads.push({ path: location.pathname, resolve });
      }),
  );
  /** Finishes the newest load. */
  const finishLoad = async (opened?: PageResult<string>) => {
    const last = loads.at(-1);
    last?.resolve(opened ?? { page: last.path });
    await new Promise((done) => setTimeout(done));
  };
  const shown = () => {
    const { view } = visits.state;
    return view && ('page' in view.opened ? view.opened.page : 'failed');
  };
  return { visits, asked: loads, arrive: finishLoad, shown };
}

const address = () => window.location.pathname + window.location.search + window.location.hash;

beforeEach(() => window.history.replaceState(null, '', '/first'));
afterEach(() => {
  vi.restoreAllMocks();
  window.history.replaceState(null, '', '/');
});

test('the page that is left stays, with its address, until the next one is there', async () => {
  const { visits, arrive, shown } = website();
  expect(shown()).toBeNull();
  await arrive();
  expect([shown(), visits.state.loading]).toEqual(['/first', false]);
  const navigation = visits.visit('/second?a=1#b');
  expect([shown(), address(), visits.state.loading]).toEqual(['/first', '/first', true]);
  await arrive();
  await navigation;
  expect([shown(), address(), visits.state.loading]).toEqual(['/second', '/second?a=1#b', false]);
});

test('of two pages that are asked for, the later one is shown, whichever arrives first', async () => {
  const { visits, asked, arrive, shown } = website();
  await arrive();
  void visits.visit('/second');
  const slow = asked.at(-1);
  void visits.visit('/third');
  await arrive();
  slow?.resolve({ page: '/second' });
  await Promise.resolve();
  expect([shown(), address()]).toEqual(['/third', '/third']);
});

test('a visit that a later one replaces ends with that', async () => {
  const { visits, asked, arrive, shown } = website();
  await arrive();
  const replaced = visits.visit('/second').then(shown);
  const slow = asked.at(-1);
  void visits.visit('/third');
  slow?.resolve({ page: '/second' });
  await Promise.resolve();
  await arrive();
  expect(await replaced).toBe('/third');
});

test('a question that is asked while the next page loads ends when that is shown', async () => {
  const { visits, arrive } = website();
  await arrive();
  void visits.visit('/second');
  const answer = confirm({ message: 'Are you sure?' });
  await arrive();
  expect(await answer).toBe(false);
});

test('another query of the same page loads nothing; with state, and in place of the last', async () => {
  const { visits, asked, arrive } = website();
  await arrive();
  const entries = window.history.length;
  await visits.visit('?step=2', { state: { from: 'here' } });
  expect(window.history.length).toBe(entries + 1);
  await visits.visit('?step=3', { replace: true, preventScrollReset: true });
  expect(window.history.length).toBe(entries + 1);
  expect(asked).toHaveLength(1);
  expect(visits.state.view).toMatchObject({
    location: { pathname: '/first', search: '?step=3', state: null },
    action: 'REPLACE',
    keepsScroll: true,
  });
  expect(address()).toBe('/first?step=3');
});

test('a page that fails is shown as failed at its address, and is asked for again', async () => {
  const { visits, asked, arrive, shown } = website();
  await arrive({ failure: new Error('no such page') });
  expect([shown(), address()]).toEqual(['failed', '/first']);
  void visits.visit('/first?again');
  await arrive();
  expect([shown(), asked.length]).toEqual(['/first', 2]);
});

test('a page with a document of its own is left to the browser, and the old one stays', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
  const { visits, arrive, shown } = website();
  await arrive();
  void visits.visit('/payment/1');
  await arrive({ redirect: '/payment/1#token' });
  void visits.visit('/payment/1', { replace: true });
  await arrive({ redirect: '/payment/1' });
  expect(assign.mock.calls).toEqual([['/payment/1#token']]);
  expect(replace.mock.calls).toEqual([['/payment/1']]);
  expect([shown(), visits.state.loading]).toEqual(['/first', true]);
});

test("the browser's Back shows what its address leads to, under the name it had", async () => {
  const { visits, arrive, shown } = website();
  await arrive();
  await Promise.all([visits.visit('/second'), arrive()]);
  const warnings: string[] = [];
  visits.onLeave(({ pathname }) => warnings.push(pathname));
  const historyState = window.history.state;
  window.history.replaceState({ usr: null, key: 'k1', idx: 0 }, '', '/first');
  window.dispatchEvent(new PopStateEvent('popstate'));
  await arrive();
  expect(shown()).toBe('/first');
  expect(warnings).toEqual(['/second']);
  expect(visits.state.view).toMatchObject({ action: 'POP', location: { key: 'k1' } });
  expect(historyState).toMatchObject({ idx: 1 });
});

/** Returns the key of the history entry of a new document. */
async function keyOfNewDocument(): Promise<string | undefined> {
  const { visits, arrive } = website();
  await arrive();
  return visits.state.view?.location.key;
}

test('an address that was typed has a key of its own, and a reload keeps it', async () => {
  const first = await keyOfNewDocument();
  expect(await keyOfNewDocument()).toBe(first);
  window.history.pushState(null, '', '/first');
  const second = await keyOfNewDocument();
  expect(new Set([first, second, 'default']).size).toBe(3);
});

test('a link to a part of a page that was typed begins an entry of its own', async () => {
  const { visits, arrive } = website();
  await arrive();
  const typedKey = visits.state.view?.location.key;
  // A browser stores no state in the entry of a followed fragment.
  window.history.pushState(null, '', '#part');
  window.dispatchEvent(new PopStateEvent('popstate'));
  const { view } = visits.state;
  expect(view?.location.hash).toBe('#part');
  expect(view?.location.key).toBeTruthy();
  expect(view?.location.key).not.toBe(typedKey);
  expect(window.history.state).toMatchObject({ key: view?.location.key });
});
