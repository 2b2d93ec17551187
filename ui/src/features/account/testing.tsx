import { MantineProvider } from '@mantine/core';
import { act, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { mutate, SWRConfig } from 'swr';
import { ConfirmHost } from '../../components/feedback/ConfirmHost';
import { Snackbar } from '../../components/feedback/Snackbar';
import { loginRequest } from '../../lib/loginDialog';
import { MINIMUM_FETCH_MS } from '../../lib/minimum';
import { clearSnackbar } from '../../lib/snackbar';
import { type Answer, type Call, serve } from '../../testing/server';
import { detailsDraft } from './detailsDraft';
import { LoginDialogHost } from './LoginDialogHost';
import { activeReset, newUser, passwordChanged } from './resetMode';

export const ANN = {
  user_id: '1',
  user_uuid: '0197f3c2-0000-7000-8000-00000000000a',
  user_username: 'ann@example.com',
  title_id: 4,
  first_name: 'Ann',
  middle_name: null,
  last_name: 'Bond',
  email_primary: 'ann@example.com',
  address_primary: '1 High Street\nLeeds',
  postcode_primary: 'LS1 1AA',
  tel_primary: '0113 496 0000',
  gsm_primary: null,
  fax_primary: null,
  country_id: 1,
  marketing_contact: true,
  email_pending: null,
};

export const BOB = {
  ...ANN,
  user_uuid: '0197f3c2-0000-7000-8000-00000000000b',
  user_username: 'bob@example.com',
  email_primary: 'bob@example.com',
  first_name: 'Bob',
};

export type Person = typeof ANN | { [K in keyof typeof ANN]: (typeof ANN)[K] | null };

export interface Shop {
  calls: Call[];
  /** The user of the session. */
  person: Person | null;
}

const SITE = {
  brand: 'Layby',
  phone: '0330 123 4567',
  email: 'help@example.com',
  hours: '9am to 5pm Monday to Friday',
  assistance_phone: '0330 765 4321',
  sign_on: '/dashboard',
  links: {},
  titles: [
    { id: 1, title: 'Mr' },
    { id: 4, title: 'Ms' },
  ],
  countries: [{ id: 1, title: 'United Kingdom' }],
};

/** A server that knows who is logged in: Ann or Bob, whose password is `secret`. */
export function openShop(person: Person | null, own: Answer = () => undefined): Shop {
  const shop: Shop = { calls: [], person };
  shop.calls = serve((call) => {
    const answer = own(call);
    if (answer) return answer;
    switch (`${call.method} ${call.path}`) {
      case 'GET /api/v1/site':
        return { status: 200, body: { data: SITE } };
      case 'GET /api/v1/profile':
        return shop.person
          ? { status: 200, body: shop.person }
          : { status: 401, body: { message: 'Nobody' } };
      case 'POST /api/login': {
        const { username, password } = call.body as { username: string; password: string };
        const found = [ANN, BOB].find((each) => each.user_username === username);
        if (!found || password !== 'secret') {
          return { status: 422, body: { message: 'The username or password is not right.' } };
        }
        shop.person = found;
        return { status: 200, body: {} };
      }
      case 'GET /api/logout':
        shop.person = null;
        return { status: 200, body: {} };
      default:
        return undefined;
    }
  });
  return shop;
}

/** Calls in the background answer after their minimum time. */
const settle = () => new Promise((resolve) => setTimeout(resolve, MINIMUM_FETCH_MS + 50));

/** Resets what a page keeps in memory, as a reload does. */
export async function reload(): Promise<void> {
  await settle();
  await act(async () => {
    activeReset.set(null);
    passwordChanged.set(false);
    newUser.set(null);
    detailsDraft.set(null);
    loginRequest.set(null);
    clearSnackbar();
    await mutate(() => true, undefined, { revalidate: false });
  });
}

/**
 * Shows pages with the snackbar and the confirm dialog, on the cache that login and logout clear.
 */
export function visit(routes: Record<string, ReactNode>, at: string) {
  const router = createMemoryRouter(
    Object.entries(routes).map(([path, element]) => ({ path, element })),
    { initialEntries: [at] },
  );
  render(
    <SWRConfig value={{ dedupingInterval: 0 }}>
      <MantineProvider env="test">
        <RouterProvider router={router} />
        <Snackbar />
        <ConfirmHost />
      </MantineProvider>
    </SWRConfig>,
  );
  return router;
}

/** A page with the layout's login dialog. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <LoginDialogHost />
    </>
  );
}
