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
import { type Go, NavigationProvider } from '../../lib/navigation/navigation';
import { needsOwnDocument, recordDocument } from '../../lib/navigation/ownDocument';
import {
  createPageHistory,
  type PageHistory,
  type PageResult,
  type PageView,
} from '../../lib/navigation/pageHistory';
import { registerRoutes } from '../../lib/navigation/prefetch';
import { loadChunk } from '../../lib/navigation/reload';
import { NOT_FOUND, PageError, runGuards } from '../../lib/routes/guards';
import { carriedToken, takeCarriedToken } from '../../lib/storage/tokens';
import { ErrorPage, StandaloneErrorPage } from '../errors/ErrorPage';
import { PageErrorBoundary } from '../errors/PageErrorBoundary';
import { useDateStyle } from '../preferences/useDateStyle';
import { PageLoader } from './PageLoader';

export interface PageRoute {
  path: string;
  load: () => Promise<{ default: ComponentType }>;
  guards?: readonly string[];
}

/**
 * Opens an address: returns its page, or the address of another document. Throws if the address is
 * wrong or its page can't be loaded.
 */
async function open(
  routes: PageRoute[],
  { pathname, search, hash }: Location,
): Promise<PageResult<ComponentType>> {
  const [match] = matchRoutes(routes, pathname) ?? [];
  if (!match) throw new PageError(404, NOT_FOUND);
  const { params, route } = match;
  runGuards(route.guards ?? [], { params });
  if (needsOwnDocument(route.path)) {
    const end = hash || carriedToken(params.id);
    return { redirect: `${generatePath(route.path, params)}${search}${end}` };
  }
  const address = `${window.location.origin}${pathname}${search}${hash}`;
  return { page: (await loadChunk(route.load, address)).default };
}

/** Shows the page of an address. The id is the key, so another id gives the page a new state. */
function RoutePage({ Page }: { Page: ComponentType }) {
  const { id } = useParams();
  useDateStyle();
  return <Page key={id} />;
}

interface PagesProps {
  history: PageHistory<ComponentType>;
  paths: string[];
  /** The frame around every page, with an outlet for the page. */
  frame: ReactNode;
  go: Go;
  onShown: (view: PageView<ComponentType> | null) => void;
}

function Pages({ history, paths, frame, go, onShown }: PagesProps) {
  const [state, setState] = useState(history.state);
  useEffect(() => {
    const follow = () => startTransition(() => setState(history.state));
    follow();
    return history.watch(follow);
  }, [history]);
  const { view, loading } = state;
  useEffect(() => onShown(view), [view, onShown]);
  const keepsScroll = view?.keepsScroll === true;
  const navigation = useMemo(
    () => ({ loading, keepsScroll, onLeave: history.onLeave, go }),
    [loading, keepsScroll, history, go],
  );
  if (!view) return <PageLoader />;
  const { location, action, opened } = view;
  const page: ReactNode =
    'page' in opened ? <RoutePage Page={opened.page} /> : <ErrorPage error={opened.failure} />;
  return (
    <Router location={location} navigationType={action} navigator={history.navigator}>
      <NavigationProvider value={navigation}>
        <PageErrorBoundary location={location} Failed={StandaloneErrorPage}>
          <Routes>
            <Route element={frame}>
              {[...paths, '*'].map((path) => (
                <Route
                  key={path}
                  path={path}
                  element={
                    <PageErrorBoundary location={location} Failed={ErrorPage}>
                      {page}
                    </PageErrorBoundary>
                  }
                />
              ))}
            </Route>
          </Routes>
        </PageErrorBoundary>
      </NavigationProvider>
    </Router>
  );
}

/**
 * Creates the router, which shows pages at their addresses within a frame. The frame has an outlet
 * for the pages.
 */
export function createPageRouter(routes: PageRoute[], frame: ReactNode) {
  recordDocument();
  takeCarriedToken();
  registerRoutes(routes);
  const history = createPageHistory((location) => open(routes, location));
  const paths = routes.map(({ path }) => path);

  let shown: PageView<ComponentType> | null = null;
  let pendingWork: (() => void)[] = [];
  const onShown = (view: typeof shown) => {
    shown = view;
    // A replaced view may never be rendered. Its waiting callers then continue with the newer view.
    if (view !== history.state.view) return;
    for (const resolve of pendingWork) resolve();
    pendingWork = [];
  };
  const go = async (to: To, options?: NavigateOptions) => {
    await history.visit(to, options);
    if (shown !== history.state.view)
      await new Promise<void>((resolve) => pendingWork.push(resolve));
  };

  return {
    Pages: () => <Pages history={history} paths={paths} frame={frame} go={go} onShown={onShown} />,
    /** Resolves when the first page has loaded or failed. */
    firstLoad: history.firstLoad,
    /** Goes to an address of the website. Resolves when its page is shown. */
    navigate: go,
    isLoading: () => history.state.loading,
  };
}
