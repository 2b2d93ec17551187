import { MantineProvider } from '@mantine/core';
import { configure, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { SWRConfig } from 'swr';
import { vi } from 'vitest';
import { answerCalls, type Call } from '../api/testing';
import { ConfirmHost } from '../components/feedback/ConfirmHost';
import { Snackbar } from '../components/feedback/Snackbar';
import { COMPLETE, PRODUCT, STEPPER } from './products/product';

// The website's real pauses (500 ms before a step, 200 ms a call) take longer on a busy machine.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 40_000 });

export type { Call };

export type Answer = (
  call: Call,
) => { status: number; body: unknown; headers?: Record<string, string> } | undefined;

const SITE = {
  brand: 'Layby',
  phone: '0330 123 4567',
  email: 'help@example.com',
  hours: '9am to 5pm Monday to Friday',
  links: { terms: 'https://example.com/terms' },
  rating_badge: null,
  reviews_frame: null,
};

export const FIGURES = {
  amount_taxed: 48.16,
  amount_net: 43,
  amount_tax: 5.16,
  amount_total: 48.16,
  currency: 'GBP',
  per: 'year',
  inception: '2026-11-22',
  expiry: '2027-11-21',
  lines: [],
  additional_charges: [],
};

/** A complete saved quote for breakdown cover, as the server answers. */
export function savedQuote(uuid: string, customId: string) {
  return {
    info: {
      uuid,
      product_identifier: 'breakdown',
      custom_id: customId,
      quotePolicyID: customId,
      status_id: 1,
      reason: null,
      dates: { inception: '2026-11-22', expiry: '2027-11-21', cover_begins: null },
      revision_id: 1,
      price: FIGURES,
      flags: { buyable: true, accepted: false, renewal_quote: false, policy: false },
      aggregator: null,
      notices: [] as string[],
    },
    form: { product_identifier: 'breakdown', datasets: [] },
    values: COMPLETE.values,
    multi: COMPLETE.multi,
    versions: [],
  };
}

const STANDARD: Answer = ({ path }) => {
  if (path === '/api/v1/site') return { status: 200, body: { data: SITE } };
  if (path.endsWith('/stepper')) return { status: 200, body: STEPPER };
  if (path.startsWith('/api/v2/openapi/product/')) return { status: 200, body: PRODUCT };
  if (path === '/api/v1/price') return { status: 200, body: { data: { figures: FIGURES } } };
  if (path.startsWith('/api/v1/form/')) {
    return { status: 200, body: { data: { form: PRODUCT.form, summary: [], counts: {} } } };
  }
  if (path === '/api/v1/profile') return { status: 401, body: { message: 'Nobody' } };
  return { status: 404, body: { message: 'Not found', code: 'not_found' } };
};

/** Replaces `fetch` by a server: `own` answers, or the usual answers are given. */
export function serve(own: Answer = () => undefined): Call[] {
  const calls: Call[] = [];
  answerCalls((call) => {
    calls.push(call);
    const answer = own(call) ?? STANDARD(call) ?? { status: 404, body: {} };
    const { status, body } = answer;
    return new Response(JSON.stringify(body), {
      status,
      headers: { 'Content-Type': 'application/json', ...answer.headers },
    });
  });
  return calls;
}

export function Fresh({ children }: { children: ReactNode }) {
  return (
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>{children}</SWRConfig>
  );
}

/** Shows pages at their addresses, with the snackbar and the confirm dialog. */
export function show(routes: Record<string, ReactNode>, at: string) {
  const router = createMemoryRouter(
    Object.entries(routes).map(([path, element]) => ({
      path,
      element,
      errorElement: <p>Error page</p>,
    })),
    { initialEntries: [at] },
  );
  render(
    <Fresh>
      <MantineProvider env="test">
        <RouterProvider router={router} />
        <Snackbar />
        <ConfirmHost />
      </MantineProvider>
    </Fresh>,
  );
  return router;
}
