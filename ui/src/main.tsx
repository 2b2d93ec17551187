import '@fontsource-variable/inter/index.css';
import './styles.css';
import './prerender.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { SWRConfig } from 'swr';
import { retryable } from './api/read';
import { seedCache, seedLoggedOut } from './api/session/bootstrap';
import { reportUncaughtFailures } from './api/uncaughtErrors';
import { readSource } from './features/quote/start/tracking';
import { isPaymentDocument } from './lib/navigation/ownDocument';
import { reloadPage } from './lib/navigation/reload';
import { removeExpiredAnswers } from './lib/storage/expiredAnswers';
import { afterFirstPaint } from './lib/timing/afterFirstPaint';
import { createRouter } from './router';
import { theme } from './theme';

// Only the address of the first page says where the visitor came from.
readSource();

reportUncaughtFailures();
removeExpiredAnswers();
seedCache();
seedLoggedOut();

/** Creates the router, and shows the page of the address. */
function begin(root: HTMLElement) {
  const router = createRouter();

  // A browser may restore a page from its back/forward cache. A payment page then reloads, because
  // its data may be old. A page that was left for another document reloads too.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && (isPaymentDocument() || router.isLoading())) reloadPage();
  });

  const show = () => {
    const page = (
      <StrictMode>
        {/* The stylesheet has the theme's variables (`themeStyles.ts`). */}
        <MantineProvider theme={theme} withCssVariables={false} forceColorScheme="light">
          <SWRConfig value={{ shouldRetryOnError: retryable, errorRetryCount: 3 }}>
            <router.Pages />
          </SWRConfig>
        </MantineProvider>
      </StrictMode>
    );
    // A transition renders in slices. Until it ends, the prerendered page scrolls and responds.
    startTransition(() => createRoot(root).render(page));
  };

  // The prerendered page stays until the first page is loaded.
  if (root.hasChildNodes()) void router.firstLoad.then(show);
  else show();
}

const root = document.getElementById('root');
if (root) afterFirstPaint(() => begin(root));
