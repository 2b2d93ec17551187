import type { ComponentType } from 'react';
import {
  createBrowserRouter,
  generatePath,
  Outlet,
  type RouteObject,
  redirectDocument,
  useLoaderData,
  useParams,
} from 'react-router';
import { LoginDialogHost } from './features/account/LoginDialogHost';
import { Layout } from './layout/Layout';
import { PageLoader } from './layout/PageLoader';
import { useDateStyle } from './layout/useDateStyle';
import type { RouteHandle } from './layout/withoutLinks';
import { NOT_FOUND, PageError, runGuards } from './lib/guards';
import { PATTERNS, type PageName } from './lib/paths';
import { needsOwnDocument, noteDocument } from './lib/payingDocument';
import { registerRoutes } from './lib/prefetch';
import { loadChunk } from './lib/reload';
import { carriedToken, takeCarriedToken } from './lib/tokens';
import { BareErrorPage, ErrorPage } from './pages/ErrorPage';

interface Page {
  load: () => Promise<{ default: ComponentType }>;
  guards?: readonly string[];
  handle?: RouteHandle;
}

const guards = ['uuid'] as const;
const withoutLinks: RouteHandle = { withoutLinks: true };

const PAGES: Record<PageName, Page> = {
  home: { load: () => import('./pages/Home') },
  brokenDown: { load: () => import('./pages/BrokenDown') },
  front: { load: () => import('./pages/Breakdown') },
  cover: { load: () => import('./pages/Cover'), guards: ['product'] },
  dashboard: { load: () => import('./pages/Dashboard') },
  portal: { load: () => import('./pages/Portal') },
  retrievePassword: { load: () => import('./pages/RetrievePassword') },
  resetPassword: { load: () => import('./pages/ResetPassword') },
  confirmEmail: { load: () => import('./pages/ConfirmEmail') },
  payment: { load: () => import('./pages/Payment'), guards, handle: withoutLinks },
  paymentProcessing: {
    load: () => import('./pages/PaymentProcessing'),
    guards,
    handle: withoutLinks,
  },
  paymentSuccess: { load: () => import('./pages/PaymentSuccess'), guards },
  paymentFailure: { load: () => import('./pages/PaymentFailure'), guards },
  policyView: { load: () => import('./pages/PolicyView'), guards },
  quoteEdit: { load: () => import('./pages/QuoteEdit'), guards },
  aggregator: { load: () => import('./pages/Aggregator') },
};

function Shell() {
  return <Layout dialogs={<LoginDialogHost />} />;
}

const ROUTES = Object.entries(PATTERNS).map(([name, path]) => ({
  path,
  ...PAGES[name as PageName],
}));

/** The page that the loader fetched. The key drops a page's state when the id changes. */
function RoutePage() {
  const Page = useLoaderData() as ComponentType;
  const { id } = useParams();
  useDateStyle();
  return <Page key={id} />;
}

function toRoute({ path, load, guards: names = [], handle }: Page & { path: string }): RouteObject {
  return {
    path,
    handle,
    // The chunk is loaded here and not in `lazy`, because only a loader knows the address that the
    // visitor is going to, where a reload after a release must lead.
    loader: async ({ params, request }) => {
      runGuards(names, { params });
      if (needsOwnDocument(path)) {
        const { search, hash } = new URL(request.url);
        const end = hash || carriedToken(params.id);
        return redirectDocument(`${generatePath(path, params)}${search}${end}`);
      }
      return (await loadChunk(load, request.url)).default;
    },
    shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
    Component: RoutePage,
  };
}

function missing(): never {
  throw new PageError(404, NOT_FOUND);
}

export function createRouter() {
  noteDocument();
  takeCarriedToken();
  registerRoutes(ROUTES);
  return createBrowserRouter([
    {
      Component: Shell,
      HydrateFallback: PageLoader,
      ErrorBoundary: BareErrorPage,
      children: [
        {
          ErrorBoundary: ErrorPage,
          children: [...ROUTES.map(toRoute), { path: '*', loader: missing, Component: Outlet }],
        },
      ],
    },
  ]);
}
