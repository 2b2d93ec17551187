import { act } from '@testing-library/react';
import type { ReactNode } from 'react';
import { mutate } from 'swr';
import { type Call, refuse, type Server } from '../../api/testing';
import type { Profile } from '../../api/types';
import { clearSnackbar } from '../../lib/messages/snackbar';
import { MINIMUM_FETCH_MS } from '../../lib/timing/withMinDelay';
import { loginRequest } from '../../shared/login/loginDialog';
import { profileOf, siteWith } from '../../testing/data';
import { serve } from '../../testing/server';
import { detailsDraft } from './details/detailsDraft';
import { LoginDialogHost } from './login/LoginDialogHost';
import { activeReset, newUser, passwordChanged } from './password/resetMode';

export const ANN = {
  ...profileOf(),
  user_id: '1',
  user_uuid: '0197f3c2-0000-7000-8000-00000000000a',
  user_username: 'ann@example.com',
  title_id: 4,
  first_name: 'Ann',
  last_name: 'Bond',
  email_primary: 'ann@example.com',
  address_primary: '1 High Street\nLeeds',
  postcode_primary: 'LS1 1AA',
  tel_primary: '0113 496 0000',
  country_id: 1,
  marketing_contact: true,
} satisfies Profile;

export const BOB = {
  ...ANN,
  user_uuid: '0197f3c2-0000-7000-8000-00000000000b',
  user_username: 'bob@example.com',
  email_primary: 'bob@example.com',
  first_name: 'Bob',
} satisfies Profile;

export interface Shop {
  calls: Call[];
  /** The person logged in, or null. */
  person: Profile | null;
}

/** Starts a server that knows Ann and Bob, whose password is `secret`. `person` is logged in. */
export function openShop(person: Profile | null, own: Server = {}): Shop {
  const shop: Shop = { calls: [], person };
  const site = siteWith({ assistance_phone: '0330 765 4321' });
  shop.calls = serve(own, {
    'GET /api/v1/site': () => ({ data: site }),
    'GET /api/v1/profile': () => shop.person ?? refuse(401, 'Nobody'),
    'POST /api/login': ({ body }) => {
      const person = [ANN, BOB].find((each) => each.user_username === body.username);
      if (!person || body.password !== 'secret') {
        return refuse(422, 'The username or password is not right.');
      }
      shop.person = person;
      return {};
    },
    'GET /api/logout': () => {
      shop.person = null;
      return { data: {} };
    },
  });
  return shop;
}

/** Waits for calls in the background, which take a minimum time. */
const waitForBackgroundCalls = () =>
  new Promise((resolve) => setTimeout(resolve, MINIMUM_FETCH_MS + 50));

/** Resets the page's state and cached responses in memory, as a reload does. */
export async function reload(): Promise<void> {
  await waitForBackgroundCalls();
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

/** Shows a page with the layout's login dialog. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <LoginDialogHost />
    </>
  );
}
