import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { refuse } from '../../api/testing';
import { serve, show } from '../../testing/server';
import { Layout } from '../Layout';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('settings that could not be read are said to be missing, and are asked for again', async () => {
  let down = true;
  serve({ 'GET /api/v1/site': () => (down ? refuse(503, 'We are stopping.') : undefined) });
  show({ '/': <Layout /> }, '/');
  await screen.findByText('Some parts of this page could not be loaded.');
  down = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('link', { name: 'Terms' });
  await waitFor(() => expect(screen.queryByText(/^Some parts/)).toBeNull());
});
