import { beforeEach, expect, test, vi } from 'vitest';
import { prefetchOnIdle, registerRoutes } from './prefetch';

const load = vi.fn(() => Promise.resolve());
let idle: { work: () => void; timeout: number | undefined } | null = null;

beforeEach(() => {
  load.mockClear();
  idle = null;
  window.requestIdleCallback = (work, options) => {
    idle = { work: work as () => void, timeout: options?.timeout };
    return 1;
  };
  window.cancelIdleCallback = () => {
    idle = null;
  };
  registerRoutes([{ path: '/policy/view/:id?', load }]);
});

test('a page behind a link is fetched once, when idle or after 2000 ms', () => {
  prefetchOnIdle('/policy/view/1');
  expect(load).not.toHaveBeenCalled();
  expect(idle?.timeout).toBe(2000);
  idle?.work();
  expect(load).toHaveBeenCalledTimes(1);

  idle = null;
  prefetchOnIdle('/policy/view/2');
  expect(idle).toBeNull();
});

test('a link that is removed is no longer fetched', () => {
  prefetchOnIdle('/policy/view/1')();
  expect(idle).toBeNull();
});

test('addresses of no page are not fetched', () => {
  prefetchOnIdle('/elsewhere');
  expect(idle).toBeNull();
});
