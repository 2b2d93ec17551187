import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router';
import { useProfile, useSite } from '../api/hooks';
import { followOtherTabs } from '../api/session/session';
import { leaveSnackbar } from '../lib/messages/snackbar';
import { loadChunk } from '../lib/navigation/reload';
import { brandName } from '../lib/routes/title';
import { Announcer } from '../ui/feedback/Announcer';
import { ConfirmHost } from '../ui/feedback/ConfirmHost';
import { Snackbar } from '../ui/feedback/Snackbar';
import { CookieBanner } from './cookies/CookieBanner';
import { Footer } from './Footer';
import classes from './Layout.module.css';
import { LoadingBar } from './router/LoadingBar';
import { ScrollRestoration } from './router/ScrollRestoration';
import { Toolbar } from './Toolbar';
import { useHiddenLinks } from './useHiddenLinks';

const HeldNotice = lazy(() => loadChunk(() => import('./HeldNotice')));
const SiteFailed = lazy(() => loadChunk(() => import('./errors/SiteLoadError')));

/** Focuses the start of a new page, for keyboards and screen readers. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

/** Removes a message when the visitor leaves its page. */
function useSnackbarLeaves() {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  // A layout effect runs before the effects of the new page, which may show a message.
  useLayoutEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    leaveSnackbar();
  }, [pathname]);
}

function useOtherTabs() {
  const { data: profile } = useProfile();
  const user = useRef<string | null>(null);
  useEffect(() => {
    user.current = profile?.user_uuid ?? null;
  }, [profile]);
  useEffect(() => followOtherTabs(() => user.current), []);
}

/** Shows the frame of every page. `dialogs` may open over any page. */
export function Layout({ dialogs }: { dialogs?: ReactNode }) {
  const main = useFocusOnNavigation();
  const withoutLinks = useHiddenLinks();
  useOtherTabs();
  useSnackbarLeaves();
  const { data: site, error: failure } = useSite();

  useEffect(() => {
    if (site) brandName.set(site.brand);
  }, [site]);

  return (
    <div className={classes.shell}>
      <a href="#main" className={`screenOnly ${classes.skip}`}>
        Skip to main content
      </a>
      <LoadingBar />
      <Snackbar />
      <Announcer />
      <Toolbar withoutLinks={withoutLinks} />
      {site?.held && (
        <Suspense>
          <HeldNotice />
        </Suspense>
      )}
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        {!site && failure && (
          <Suspense>
            <SiteFailed />
          </Suspense>
        )}
        <Outlet />
      </main>
      <Footer withoutLinks={withoutLinks} />
      <CookieBanner />
      {dialogs}
      <ConfirmHost />
      <ScrollRestoration />
    </div>
  );
}
