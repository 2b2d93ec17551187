import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { SWRConfig } from 'swr';
import { initialCache } from '../testing/data';

/** Renders a component with the shop's settings in the cache. */
export function show(children: ReactNode) {
  return render(
    <MantineProvider env="test">
      <SWRConfig
        value={{
          provider: () => new Map(),
          fallback: initialCache({ email: 'help@layby.example' }),
          revalidateOnMount: false,
          revalidateIfStale: false,
        }}
      >
        <MemoryRouter>{children}</MemoryRouter>
      </SWRConfig>
    </MantineProvider>,
  );
}
