import { act, render, screen } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, expect, test } from 'vitest';
import type { Profile } from '../../api/types';
import { SHOP_DATES, showDates } from '../../lib/dates/dateStyle';
import { formatDate } from '../../lib/dates/dates';
import { chooseDates } from '../../lib/storage/preferences';
import { initialCache, profileOf } from '../../testing/data';
import { useDateStyle } from './useDateStyle';

const ANN = profileOf({ user_uuid: 'ann' });

function Day() {
  return <p data-testid="day">{formatDate('2026-04-03')}</p>;
}

function Page() {
  useDateStyle();
  return <Day />;
}

function open(profile: Profile | null) {
  const value = {
    provider: () => new Map(),
    fallback: initialCache({}, profile),
    revalidateOnMount: false,
  };
  return render(
    <SWRConfig value={value}>
      <Page />
    </SWRConfig>,
  );
}

const day = () => screen.getByTestId('day').textContent;

afterEach(() => act(() => showDates(SHOP_DATES)));

test('a page is drawn again when the choice changes, here or in another tab', () => {
  open(ANN);
  expect(day()).toBe('03/04/2026');
  act(() => showDates({ format: 'yyyy-MM-dd', locale: 'en-GB' }));
  expect(day()).toBe('2026-04-03');

  chooseDates('ann', { format: 'dd.MM.yyyy', locale: 'en-GB' });
  const notifyTab = (key: string) =>
    act(() => void dispatchEvent(new StorageEvent('storage', { key })));
  notifyTab('layby.preferences.bob');
  expect(day()).toBe('2026-04-03');
  notifyTab('layby.preferences.ann');
  expect(day()).toBe('03.04.2026');
});

test("nobody's page shows dates as the shop does, whoever was here before", () => {
  chooseDates('ann', { format: 'dd.MM.yyyy', locale: 'en-GB' });
  const { unmount } = open(ANN);
  expect(day()).toBe('03.04.2026');
  unmount();
  open(null);
  expect(day()).toBe('03/04/2026');
});
