import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, Outlet } from 'react-router';
import { expect, test, vi } from 'vitest';
import { visit } from '../../testing/server';
import { ScrollRestoration } from './ScrollRestoration';

// Newer browsers return a promise from every scroll.
const nextTick = () => Promise.resolve() as unknown as undefined;

test('where scrolling answers with a promise, going on and back shows the pages', async () => {
  vi.spyOn(window, 'scrollTo').mockImplementation(nextTick);
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(nextTick);
  const frame = (
    <>
      <ScrollRestoration />
      <Outlet />
    </>
  );
  const pages = { '/': <Link to="/terms#end">Terms</Link>, '/terms': <h1 id="end">The end</h1> };
  visit(pages, '/', undefined, frame);
  await userEvent.click(await screen.findByRole('link', { name: 'Terms' }));
  expect(await screen.findByRole('heading', { name: 'The end' })).toBeTruthy();
  window.history.back();
  await waitFor(() => expect(screen.getByRole('link', { name: 'Terms' })).toBeTruthy());
  window.history.forward();
  expect(await screen.findByRole('heading', { name: 'The end' })).toBeTruthy();
});
