import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forId, type Server } from './api/testing';
import { account, row } from './features/account/list/testing';
import { dateStyle, SHOP_DATES } from './lib/dates/dateStyle';
import { forgetToken, saveToken, tokenFor } from './lib/storage/tokens';
import { createRouter } from './router';
import { savedQuote } from './testing/data';
import { adjustment, DOCUMENTS, may, term } from './testing/policy';
import { serve } from './testing/server';

const POLICY = row(1, { date_created: '2026-03-04T12:00:00Z' });
const UUID = POLICY.policy_uuid;

/** A server with Ann's one policy from 5 April 2026, which has a change and dated documents. */
const shop: Server = {
  'GET /api/v2/policy/read/{id}': forId(UUID, () => ({
    data: {
      ...savedQuote(UUID, POLICY.custom_id, { account: 'mine' }),
      policy: term({ inception: '2026-04-05', expiry: '2027-04-04', can: may() }),
    },
  })),
  'GET /api/v1/policy/{id}/documents': () => ({ data: DOCUMENTS }),
  'GET /api/v1/policy/{id}/mta': () => ({
    data: [
      adjustment({
        status: 'applied',
        effective_date: '2026-06-07',
        changes: [
          {
            kind: 'answer',
            path: 'date_of_birth',
            label: 'Date of birth',
            before: '01/02/1980',
            after: '02/03/1980',
          },
        ],
      }),
    ],
  }),
  'GET /api/v1/activities': () => ({ data: [] }),
};

function open(path: string) {
  window.history.replaceState(null, '', path);
  const router = createRouter();
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>
      <MantineProvider env="test">
        <router.Pages />
      </MantineProvider>
    </SWRConfig>,
  );
  return router;
}

beforeEach(() => {
  vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
  const items = () => [{ ...POLICY, date_inception: '2026-04-05', date_expiry: '2027-04-04' }];
  serve(
    shop,
    account((query) => (query.has('flags[]') ? [] : items())),
  );
});
afterEach(() => {
  window.history.replaceState(null, '', '/');
  dateStyle.set(SHOP_DATES);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('how dates are shown is chosen in the account, and every page reads it', async () => {
  const router = open('/dashboard');
  const card = await screen.findByRole('region', { name: 'Your policies' });
  expect(card.textContent).toContain('05/04/2026 to 04/04/2027');
  const choice = screen.getByRole('region', { name: 'Dates and amounts' });
  const format = within(choice).getByLabelText<HTMLSelectElement>('Date format');
  expect(format.value).toBe('dd/MM/yyyy');
  expect(within(choice).getByRole('status').textContent).toContain(
    '27/11/2026, Friday 27 November 2026 and £123,456.50',
  );
  await userEvent.selectOptions(format, 'yyyy-MM-dd');
  await userEvent.selectOptions(
    within(choice).getByLabelText('Language and country'),
    'English (United States)',
  );
  expect(within(choice).getByRole('status').textContent).toContain(
    '2026-11-27, Friday, November 27, 2026 and £123,456.50',
  );
  expect(card.textContent).toContain('2026-04-05 to 2027-04-04');

  await router.navigate('/dashboard?tab=policies');
  const table = await screen.findByRole('table', { name: 'Policies' });
  for (const day of ['2026-03-04', '2026-04-05', '2027-04-04']) {
    expect(table.textContent, day).toContain(day);
  }

  await router.navigate(`/policy/view/${UUID}`);
  await screen.findByText('2026-04-05 to 2027-04-04');
  expect((await screen.findByText(/From 2026-06-07/)).tagName).toBe('H3');
  await screen.findByText(/1980-02-01 → 1980-03-02/);
  expect(document.body.textContent).not.toMatch(/\d\d\/\d\d\/\d{4}/);
});

describe('a page on which somebody pays is loaded whole:', () => {
  const QUOTE = '0197f3c2-0000-7000-8000-000000000001';

  /**
   * Goes from one address to another. Returns the new documents that the browser loads, as `assign`
   * or `replace` and the address.
   */
  async function sentTo(from: string, to: string, replace = false): Promise<string> {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
    const replaced = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
    const router = open(from);
    await router.navigate(to, { replace });
    const calls = [...assign.mock.calls.map(([url]) => `assign ${url}`)];
    calls.push(...replaced.mock.calls.map(([url]) => `replace ${url}`));
    expect(window.location.pathname).not.toBe(to.split('?')[0]);
    return calls.join();
  }

  test('from a quote, with what its address says', async () => {
    expect(await sentTo('/dashboard', `/payment/${QUOTE}?gateway=stripe`)).toBe(
      `assign /payment/${QUOTE}?gateway=stripe`,
    );
  });

  test('and so is the page that is left for; one that takes its place in the history does so', async () => {
    expect(await sentTo(`/payment/success/${QUOTE}`, `/policy/view/${QUOTE}`, true)).toBe(
      `replace /policy/view/${QUOTE}`,
    );
  });

  test('from one to the next the website goes by itself', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
    const router = open(`/payment/processing/${QUOTE}`);
    await router.navigate(`/payment/failure/${QUOTE}`);
    expect(window.location.pathname).toBe(`/payment/failure/${QUOTE}`);
    expect(assign).not.toHaveBeenCalled();
  });

  test('also an address in capital letters', async () => {
    const replaced = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
    open(`/PAYMENT/${QUOTE}`);
    await waitFor(() =>
      expect([...replaced.mock.calls, ...assign.mock.calls].flat()).toEqual([`/payment/${QUOTE}`]),
    );
  });

  test("in a browser that stores nothing, the quote's token goes with it", async () => {
    const refuse = () => {
      throw new Error('no storage here');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    saveToken(QUOTE, 'secret');
    const address = await sentTo('/dashboard', `/payment/${QUOTE}`);
    expect(address).toBe(`assign /payment/${QUOTE}#token=secret`);
    forgetToken(QUOTE);
    open(`/payment/${QUOTE}#token=secret`);
    expect(window.location.hash).toBe('');
    expect(tokenFor(QUOTE)).toBe('secret');
    forgetToken(QUOTE);
  });
});

test('the choice survives a reload', async () => {
  localStorage.setItem(
    'layby.preferences.0190f3a1-0000-7000-8000-0000000000aa',
    JSON.stringify({ dateFormat: 'dd.MM.yyyy', chosen: true }),
  );
  open(`/policy/view/${UUID}`);
  await screen.findByText('05.04.2026 to 04.04.2027');
});
