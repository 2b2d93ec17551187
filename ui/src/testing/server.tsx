import { MantineProvider } from '@mantine/core';
import { cleanup, configure, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { SWRConfig, type SWRConfiguration } from 'swr';
import { vi } from 'vitest';
import { type Call, Refusal, refuse, type Server, startServers } from '../api/testing';
import { createPageRouter } from '../layout/router/PageRouter';
import { ConfirmHost } from '../ui/feedback/ConfirmHost';
import { Snackbar } from '../ui/feedback/Snackbar';
import { FIGURES, formChecked, siteWith } from './data';
import { PRODUCT, STEPPER } from './products/product';

// The tests wait for real pauses of the website, which take longer on a busy machine.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 40_000 });

/** The default responses for a visitor who is not logged in. */
const DEFAULT_RESPONSES: Server = {
  'GET /api/v1/site': () => ({ data: siteWith() }),
  'GET /api/v1/profile': () => refuse(401, 'Nobody'),
  'GET /api/v2/openapi/product/{id}': () => PRODUCT,
  'GET /api/v2/openapi/product/{identifier}/stepper': () => STEPPER,
  'GET /api/v1/quote/waiting': () => ({ data: [] }),
  'POST /api/v1/price': () => ({ data: { figures: FIGURES } }),
  'POST /api/v1/monthly-price': () =>
    refuse(422, "This cover can't be paid monthly.", { code: 'monthly_not_offered' }),
  'POST /api/v1/form/{id}/check': () => ({ data: formChecked({}) }),
};

const PRICE = 'POST /api/v1/price';

/** Responds to a call for several prices with the servers' responses for single prices. */
function pricingTogether(servers: Server[]): Server {
  const outcomeOf = async (call: Call<typeof PRICE>) => {
    for (const server of servers) {
      const reply = await server[PRICE]?.(call);
      if (reply instanceof Refusal)
        return { status: reply.status, figures: null, failure: reply.body };
      if (reply) return { status: 200, figures: reply.data.figures, failure: null };
    }
    throw new Error('nobody answers a price');
  };
  return {
    'POST /api/v1/prices': async (call) => {
      const responses = call.body.requests.map((body) => outcomeOf({ ...call, body }));
      return { data: await Promise.all(responses) };
    },
  };
}

/** Replaces `fetch` by servers. The servers in `own` respond first, then the default. */
export function serve(...own: Server[]): Call[] {
  return startServers(...own, pricingTogether([...own, DEFAULT_RESPONSES]), DEFAULT_RESPONSES);
}

/** A cache for this page alone. */
const OWN: SWRConfiguration = { provider: () => new Map(), dedupingInterval: 0 };

/** The website's cache, which calls outside of a page also change. */
const SHARED: SWRConfiguration = { dedupingInterval: 0, errorRetryCount: 0 };

export function EmptyCache({ children }: { children: ReactNode }) {
  return <SWRConfig value={OWN}>{children}</SWRConfig>;
}

/** The frame of a page here: the snackbar and the confirm dialog. */
const FRAME = (
  <>
    <Outlet />
    <Snackbar />
    <ConfirmHost />
  </>
);

/** Shows pages at their addresses by the website's own router, on the shared cache. */
export function visit(
  routes: Record<string, ReactNode>,
  path: string,
  swr = SHARED,
  frame = FRAME,
) {
  // Replaces the browser, which would load a new document at the address.
  for (const load of ['assign', 'replace'] as const) {
    // A test may mock this function itself.
    if (vi.isMockFunction(window.location[load])) continue;
    vi.spyOn(window.location, load).mockImplementation((url) => {
      cleanup();
      visit(routes, String(url), swr, frame);
    });
  }
  window.history.replaceState(null, '', path);
  const router = createPageRouter(
    Object.entries(routes).map(([path, element]) => ({
      path,
      load: () => Promise.resolve({ default: () => element }),
    })),
    frame,
  );
  render(
    <SWRConfig value={swr}>
      <MantineProvider env="test">
        <router.Pages />
      </MantineProvider>
    </SWRConfig>,
  );
  return router;
}

/** Shows pages as `visit` does, on a cache of their own. */
export const show = (routes: Record<string, ReactNode>, path: string) => visit(routes, path, OWN);
