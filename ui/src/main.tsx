import '@fontsource-variable/inter/index.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { SWRConfig } from 'swr';
import { retryable } from './api/read';
import { readSource } from './features/quote/tracking';
import { createRouter } from './router';
import { cssVariables, theme } from './theme';

// Only the address of a visit's first page says where the visitor came from.
readSource();

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme="light">
        <SWRConfig value={{ shouldRetryOnError: retryable, errorRetryCount: 3 }}>
          <RouterProvider router={createRouter()} />
        </SWRConfig>
      </MantineProvider>
    </StrictMode>,
  );
}
