import type { ComponentType } from 'react';
import {
  createBrowserRouter,
  Outlet,
  type RouteObject,
  useLoaderData,
  useParams,
} from 'react-router';
import { LoginDialogHost } from './features/account/LoginDialogHost';
import { Layout } from './layout/Layout';
import { PageLoader } from './layout/PageLoader';
import type { RouteHandle } from './layout/quiet';
import { NOT_FOUND, PageError, runGuards } from './lib/guards';
import { registerRoutes } from './lib/prefetch';
import { FRONT_PRODUCT } from './lib/products';
import { loadChunk } from './lib/reload';
import { BareErrorPage, ErrorPage } from './pages/ErrorPage';

interface Page {
  path: string;
  load: () => Promise<{ default: ComponentType }>;
  guards?: readonly string[];
  handle?: RouteHandle;
}

const guards = ['uuid'] as const;
const quiet: RouteHandle = { quiet: true };

const PAGES: readonly Page[] = [
  { path: '/', load: () => import('./pages/Home') },
  { path: `/${FRONT_PRODUCT}/:cover?`, load: () => import('./pages/Breakdown') },
  { path: '/cover/:product', load: () => import('./pages/Cover'), guards: ['product'] },
  { path: '/dashboard', load: () => import('./pages/Dashboard') },
  { path: '/portal', load: () => import('./pages/Portal') },
  { path: '/retrieve-password', load: () => import('./pages/RetrievePassword') },
  { path: '/reset-password', load: () => import('./pages/ResetPassword') },
  { path: '/confirm-email', load: () => import('./pages/ConfirmEmail') },
  { path: '/payment/:id?', load: () => import('./pages/Payment'), guards, handle: quiet },
  {
    path: '/payment/processing/:id?',
    load: () => import('./pages/PaymentProcessing'),
    guards,
    handle: quiet,
  },
  { path: '/payment/success/:id?', load: () => import('./pages/PaymentSuccess'), guards },
  { path: '/payment/failure/:id?', load: () => import('./pages/PaymentFailure'), guards },
  { path: '/policy/view/:id?', load: () => import('./pages/PolicyView'), guards },
  { path: '/quote/edit/:id?', load: () => import('./pages/QuoteEdit'), guards },
  { path: '/aggregator/:id?', load: () => import('./pages/Aggregator') },
];

function Shell() {
  return <Layout dialogs={<LoginDialogHost />} />;
}

/** The page that the loader fetched. The key drops a page's state when the id changes. */
function RoutePage() {
  const Page = useLoaderData() as ComponentType;
  const { id } = useParams();
  return <Page key={id} />;
}

function toRoute({ path, load, guards: names = [], handle }: Page): RouteObject {
  return {
    path,
    handle,
    // The chunk is loaded here and not in `lazy`, because only a loader knows the address that the
    // visitor is going to, where a reload after a release must lead.
    loader: async ({ params, request }) => {
      runGuards(names, { params });
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
  registerRoutes([...PAGES]);
  return createBrowserRouter([
    {
      Component: Shell,
      HydrateFallback: PageLoader,
      ErrorBoundary: BareErrorPage,
      children: [
        {
          ErrorBoundary: ErrorPage,
          children: [...PAGES.map(toRoute), { path: '*', loader: missing, Component: Outlet }],
        },
      ],
    },
  ]);
}
