import { act, render } from '@testing-library/react';
import { createElement } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pagesAround } from './Pager';
import { RelativeTime } from './rows/RelativeTime';
import {
  defaultSettings,
  filtersInUse,
  type ListFilter,
  noFilter,
  parseSettings,
  toApiPage,
} from './settings';

describe('stored settings', () => {
  test('rubbish is ignored', () => {
    for (const stored of [
      null,
      7,
      'text',
      [],
      { page: -3, sortBy: 'password', descending: 'yes', filter: 5, rowsPerPage: 1000 },
      { page: 1.5, sortBy: 'holder_name', filter: { statuses: [99], policyHolder: {} } },
      { filter: { statuses: 'all', products: [7, ''], policyReference: ['x'] } },
    ]) {
      expect(parseSettings(stored, 'policy'), JSON.stringify(stored)).toEqual(
        defaultSettings('policy'),
      );
    }
  });

  test('what makes sense is taken', () => {
    const settings = parseSettings(
      {
        page: 4,
        sortBy: 'date_expiry',
        descending: false,
        filter: { policyHolder: ' Ann ', products: ['gadget'], statuses: [8, 99] },
      },
      'policy',
    );
    expect(settings).toEqual({
      ...defaultSettings('policy'),
      page: 4,
      sortBy: 'date_expiry',
      descending: false,
      filter: { policyHolder: 'Ann', policyReference: '', products: ['gadget'], statuses: [8] },
    });
    expect(filtersInUse('policy', settings.filter)).toBe(3);
    expect(filtersInUse('policy', noFilter('policy'))).toBe(0);
  });

  test("another list's columns and statuses are none of this one's", () => {
    const stored = { sortBy: 'date_quote_expiry', descending: true, filter: { statuses: [31] } };
    expect(parseSettings(stored, 'policy')).toEqual(defaultSettings('policy'));
    expect(parseSettings(stored, 'renewal').sortBy).toBe('id');
    expect(parseSettings(stored, 'quote').sortBy).toBe('date_quote_expiry');
  });

  test('chosen ended statuses are kept, and are not among the usual ones', () => {
    const found = parseSettings({ filter: { statuses: [32, 1] } }, 'quote').filter;
    expect(found.statuses).toEqual([1, 32]);
    expect(filtersInUse('quote', found)).toBe(1);
    expect(noFilter('quote').statuses).toEqual([1, 2, 7, 14, 30, 31]);
    // The number of statuses is the default, but the statuses differ.
    const others: ListFilter = { ...noFilter('renewal'), statuses: [1, 7, 31, 32] };
    expect(filtersInUse('renewal', others)).toBe(1);
  });

  test('the first page is 0 on the wire', () => {
    expect([0, 1, 2, 3].map(toApiPage)).toEqual([0, 0, 2, 3]);
  });
});

test('the pager names the ends and the neighbours', () => {
  expect(pagesAround(1, 1)).toEqual([1]);
  expect(pagesAround(2, 4)).toEqual([1, 2, 3, 4]);
  expect(pagesAround(1, 9)).toEqual([1, 2, null, 9]);
  expect(pagesAround(5, 9)).toEqual([1, null, 4, 5, 6, null, 9]);
  expect(pagesAround(4, 9)).toEqual([1, 2, 3, 4, 5, null, 9]);
});

describe('relative times', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-22T10:00:00Z') });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const shown = (props: { timestamp: string; end?: boolean; isPast?: boolean }) => {
    const { container } = render(createElement(RelativeTime, props));
    return () => container.textContent;
  };

  test('move on by themselves every minute', () => {
    const text = shown({ timestamp: '2026-11-22T09:58:00Z' });
    expect(text()).toBe('2 minutes ago 22/11/2026');
    act(() => vi.advanceTimersByTime(59_999));
    expect(text()).toBe('2 minutes ago 22/11/2026');
    act(() => vi.advanceTimersByTime(1));
    expect(text()).toBe('3 minutes ago 22/11/2026');
  });

  test('say the hour where it matters, in London', () => {
    expect(shown({ timestamp: '2026-11-24T23:59:59Z', end: true })()).toBe(
      'in 2 days 24/11/2026 23:59',
    );
  });

  test.each([
    ['2026-11-22T09:59:00Z', 'a minute ago'],
    ['2026-11-22T08:01:00Z', 'an hour ago'],
    ['2026-11-20T10:01:00Z', 'a day ago'],
    ['2026-10-25T10:00:00Z', '28 days ago'],
    ['2026-10-22T09:00:00Z', 'a month ago'],
    ['2025-04-22T09:00:00Z', '19 months ago'],
    ['2024-11-23T09:00:00Z', '23 months ago'],
    ['2023-12-22T09:00:00Z', '2 years ago'],
    ['2026-12-20T10:00:00Z', 'in 28 days'],
    ['2026-12-22T09:00:00Z', 'in 29 days'],
    ['2026-12-23T11:00:00Z', 'in a month'],
  ])('are never rounded up: %s', (timestamp, expected) => {
    expect(shown({ timestamp: timestamp })()?.replace(/ [\d/]+$/, '')).toBe(expected);
  });

  test('of a day are whole days, to the end of a month', () => {
    expect(shown({ timestamp: '2026-12-21T00:00:00Z', end: true })()).toBe('in 28 days 20/12/2026');
  });

  test("a time in the past is not shown as future if the visitor's clock is slow", () => {
    expect(shown({ timestamp: '2026-11-22T10:04:00Z', isPast: true })()).toBe(
      'a few seconds ago 22/11/2026',
    );
    expect(shown({ timestamp: 'rubbish' })()).toBe('–');
  });
});
