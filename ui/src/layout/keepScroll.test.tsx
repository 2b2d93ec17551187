import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, Link, Outlet, RouterProvider } from 'react-router';
import { expect, test, vi } from 'vitest';
import { KeepScroll } from './KeepScroll';

// Newer browsers answer every scroll with a promise.
const later = () => Promise.resolve() as unknown as undefined;

test('where scrolling answers with a promise, going on and back shows the pages', async () => {
  vi.spyOn(window, 'scrollTo').mockImplementation(later);
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(later);
  const layout = (
    <>
      <KeepScroll />
      <Outlet />
    </>
  );
  const router = createMemoryRouter([
    {
      element: layout,
      children: [
        { path: '/', element: <Link to="/terms#end">Terms</Link> },
        { path: '/terms', element: <h1 id="end">The end</h1> },
      ],
    },
  ]);
  render(<RouterProvider router={router} />);
  await userEvent.click(await screen.findByRole('link', { name: 'Terms' }));
  expect(await screen.findByRole('heading', { name: 'The end' })).toBeTruthy();
  await router.navigate(-1);
  await waitFor(() => expect(screen.getByRole('link', { name: 'Terms' })).toBeTruthy());
  await router.navigate(1);
  expect(await screen.findByRole('heading', { name: 'The end' })).toBeTruthy();
});
