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
import { isPaymentDocument } from './lib/navigation/paymentDocument';
import { reloadPage } from './lib/navigation/reload';
import { removeExpiredAnswers } from './lib/storage/expiredAnswers';
import { afterFirstPaint } from './lib/timing/afterFirstPaint';
import { createRouter } from './router';
import { theme } from './theme';

// Only the address of a visit's first page says where the visitor came from.
readSource();

reportUncaughtFailures();
removeExpiredAnswers();
seedCache();
seedLoggedOut();

/** Shows the page of the address. */
function begin(root: HTMLElement) {
  const router = createRouter();

  // A browser may keep a page that was left and show it again as it stood. One that was being left for a
  // page with a document of its own, or on which somebody pays, is loaded anew: it asks how things stand.
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
    // As a transition it is rendered in slices: until it is there, the page's first words scroll and answer.
    startTransition(() => createRoot(root).render(page));
  };

  // Words that came with the page stay until the page itself can take their place.
  if (root.hasChildNodes()) void router.firstLoad.then(show);
  else show();
}

const root = document.getElementById('root');
if (root) afterFirstPaint(() => begin(root));
