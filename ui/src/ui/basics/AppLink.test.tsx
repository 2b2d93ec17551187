import { act, render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { registerRoutes } from '../../lib/navigation/prefetch';
import { AppLink } from './AppLink';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('the page behind a link is fetched once the link is in view', () => {
  let comeIntoView = () => {};
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
        comeIntoView = () => seen([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect() {}
    },
  );
  window.requestIdleCallback = (work) => {
    work({ didTimeout: false, timeRemaining: () => 1 });
    return 1;
  };
  window.cancelIdleCallback = () => {};
  const load = vi.fn(() => Promise.resolve());
  registerRoutes([{ path: '/portal', load }]);
  const routes = [{ path: '/', element: <AppLink to="/portal?tab=1">Portal</AppLink> }];
  render(<RouterProvider router={createMemoryRouter(routes)} />);
  expect(load).not.toHaveBeenCalled();
  act(comeIntoView);
  expect(load).toHaveBeenCalledTimes(1);
});
