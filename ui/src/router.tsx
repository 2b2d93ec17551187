import {
  type ComponentType,
  type ReactNode,
  startTransition,
  useEffect,
  useMemo,
  useState,
} from 'react';
import {
  generatePath,
  type Location,
  matchRoutes,
  type NavigateOptions,
  Route,
  Router,
  Routes,
  type To,
  useParams,
} from 'react-router';
import { LoginDialogHost } from './features/account/LoginDialogHost';
import { Layout } from './layout/Layout';
import { PageLoader } from './layout/PageLoader';
import { useDateStyle } from './layout/useDateStyle';
import { NOT_FOUND, PageError, runGuards } from './lib/guards';
import { PATTERNS, type PageName } from './lib/paths';
import { needsOwnDocument, noteDocument } from './lib/payingDocument';
import { registerRoutes } from './lib/prefetch';
import { loadChunk } from './lib/reload';
import { carriedToken, takeCarriedToken } from './lib/tokens';
import { UnderwayProvider } from './lib/underway';
import { createVisits, type Opened, type Visits } from './lib/visits';
import { BareErrorPage, ErrorPage } from './pages/ErrorPage';
import { FailingPage } from './pages/FailingPage';

interface Page {
  load: () => Promise<{ default: ComponentType }>;
  guards?: readonly string[];
}

const guards = ['uuid'] as const;

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
  payment: { load: () => import('./pages/Payment'), guards },
  paymentProcessing: {
    load: () => import('./pages/PaymentProcessing'),
    guards,
  },
  paymentSuccess: { load: () => import('./pages/PaymentSuccess'), guards },
  paymentFailure: { load: () => import('./pages/PaymentFailure'), guards },
  policyView: { load: () => import('./pages/PolicyView'), guards },
  quoteEdit: { load: () => import('./pages/QuoteEdit'), guards },
  aggregator: { load: () => import('./pages/Aggregator') },
};

const ROUTES = Object.entries(PATTERNS).map(([name, path]) => ({
  path,
  ...PAGES[name as PageName],
}));

/** What an address leads to. */
async function open({ pathname, search, hash }: Location): Promise<Opened<ComponentType>> {
  const [match] = matchRoutes(ROUTES, pathname) ?? [];
  if (!match) throw new PageError(404, NOT_FOUND);
  const { params, route } = match;
  runGuards(route.guards ?? [], { params });
  if (needsOwnDocument(route.path)) {
    const end = hash || carriedToken(params.id);
    return { elsewhere: `${generatePath(route.path, params)}${search}${end}` };
  }
  const address = `${window.location.origin}${pathname}${search}${hash}`;
  return { page: (await loadChunk(route.load, address)).default };
}

/** The page at an address. The key drops a page's state when the id changes. */
function RoutePage({ Page }: { Page: ComponentType }) {
  const { id } = useParams();
  useDateStyle();
  return <Page key={id} />;
}

function Shown({ visits }: { visits: Visits<ComponentType> }) {
  const [state, setState] = useState(visits.state);
  useEffect(() => {
    const follow = () => startTransition(() => setState(visits.state));
    follow();
    return visits.watch(follow);
  }, [visits]);
  const { view, loading } = state;
  const keepsScroll = view?.keepsScroll === true;
  const underway = useMemo(
    () => ({ loading, keepsScroll, whenLeaving: visits.whenLeaving }),
    [loading, keepsScroll, visits],
  );
  if (!view) return <PageLoader />;
  const { location, action, opened } = view;
  const page: ReactNode =
    'page' in opened ? <RoutePage Page={opened.page} /> : <ErrorPage error={opened.failure} />;
  return (
    <Router location={location} navigationType={action} navigator={visits.navigator}>
      <UnderwayProvider value={underway}>
        <FailingPage at={location} Failed={BareErrorPage}>
          <Routes>
            <Route element={<Layout dialogs={<LoginDialogHost />} />}>
              {[...ROUTES.map(({ path }) => path), '*'].map((path) => (
                <Route
                  key={path}
                  path={path}
                  element={
                    <FailingPage at={location} Failed={ErrorPage}>
                      {page}
                    </FailingPage>
                  }
                />
              ))}
            </Route>
          </Routes>
        </FailingPage>
      </UnderwayProvider>
    </Router>
  );
}

/** The website's pages at their addresses. */
export function createRouter() {
  noteDocument();
  takeCarriedToken();
  registerRoutes(ROUTES);
  const visits = createVisits(open);
  return {
    Pages: () => <Shown visits={visits} />,
    /** Ends when the first page is loaded, or can't be. */
    begun: visits.begun,
    /** Goes to an address of the website; ends when its page is shown. */
    navigate: (to: To, options?: NavigateOptions) => visits.visit(to, options),
    /** Whether a page is being loaded. */
    isLoading: () => visits.state.loading,
    /** The address whose page is shown. */
    location: () => visits.state.view?.location ?? null,
  };
}
