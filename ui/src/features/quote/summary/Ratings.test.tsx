import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { expect, test } from 'vitest';
import type { Site } from '../../../api/types';
import { initialCache } from '../../../testing/data';
import { ContactBlock } from '../../../ui/contact/ContactBlock';
import { Ratings } from './Ratings';

const RATED = {
  rating_badge: { image: 'https://example.com/badge.svg', alt: 'Rated 5 out of 5' },
};

function show(site: Partial<Site>, container?: HTMLElement) {
  return render(
    <MantineProvider env="test">
      <SWRConfig
        value={{
          provider: () => new Map(),
          fallback: initialCache(site),
          revalidateOnMount: false,
          revalidateIfStale: false,
        }}
      >
        <Ratings />
        <ContactBlock />
      </SWRConfig>
    </MantineProvider>,
    { container },
  );
}

test('the contact block names the hours, the telephone and the mailbox', () => {
  show({ ...RATED, hours: '8am to 4pm' });
  const block = within(screen.getByRole('region', { name: 'Got any questions or need a hand?' }));
  expect(block.getByText('8am to 4pm')).toBeTruthy();
  expect(screen.getByRole('link', { name: '0330 123 4567' }).getAttribute('href')).toBe(
    'tel:03301234567',
  );
  expect(screen.getByRole('link', { name: 'help@example.com' }).getAttribute('href')).toBe(
    'mailto:help@example.com',
  );
});

test('the rating badge has its text, and is absent when it cannot be fetched', () => {
  show(RATED);
  const badge = screen.getByRole('img', { name: 'Rated 5 out of 5' });
  expect(badge.getAttribute('src')).toBe('https://example.com/badge.svg');
  fireEvent.error(badge);
  expect(screen.queryByRole('img', { name: 'Rated 5 out of 5' })).toBeNull();
});

test('the reviews are 28 high, and there only where the shop has them', () => {
  // The container is outside the document, so that the frame does not fetch a page.
  const outside = () => document.createElement('div');
  const ratings = show({ ...RATED, reviews_frame: 'https://example.com/reviews' }, outside());
  const frame = ratings.getByTitle('Customer reviews');
  expect(frame.getAttribute('src')).toBe('https://example.com/reviews');
  expect(frame.getAttribute('height')).toBe('28');
  const absent = show({}, outside());
  expect(absent.container.querySelector('iframe, img')).toBeNull();
});
