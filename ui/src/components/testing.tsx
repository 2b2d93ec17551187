import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { SWRConfig } from 'swr';

const SITE = { phone: '0330 123 4567', email: 'help@layby.example', brand: 'Layby' };

/** Shows a component alone, with the shop's settings read already. */
export function show(children: ReactNode) {
  return render(
    <MantineProvider env="test">
      <SWRConfig
        value={{
          provider: () => new Map(),
          fallback: { '/api/v1/site': SITE },
          revalidateOnMount: false,
          revalidateIfStale: false,
        }}
      >
        <MemoryRouter>{children}</MemoryRouter>
      </SWRConfig>
    </MantineProvider>,
  );
}
