import '@fontsource-variable/inter/index.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { SWRConfig } from 'swr';
import { retryable } from './api/read';
import { readSource } from './features/quote/tracking';
import { isPayingDocument } from './lib/payingDocument';
import { reloadPage } from './lib/reload';
import { createRouter } from './router';
import { cssVariables, theme } from './theme';

// Only the address of a visit's first page says where the visitor came from.
readSource();

const router = createRouter();

// A browser may keep a page that was left and show it again as it stood. One that was being left for a
// page with a document of its own, or on which somebody pays, is loaded anew: it asks how things stand.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted && (isPayingDocument() || router.isLoading())) reloadPage();
});

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme="light">
        <SWRConfig value={{ shouldRetryOnError: retryable, errorRetryCount: 3 }}>
          <router.Pages />
        </SWRConfig>
      </MantineProvider>
    </StrictMode>,
  );
}
