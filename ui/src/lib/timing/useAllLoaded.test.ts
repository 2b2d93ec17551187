import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useAllLoaded } from './useAllLoaded';

test('a page is shown once all of it has arrived, and stays shown', () => {
  const { result, rerender } = renderHook(
    (loading: boolean[]) => useAllLoaded(loading.map((isLoading) => ({ isLoading }))),
    { initialProps: [true, true] },
  );
  expect(result.current).toBe(false);
  rerender([false, true]);
  expect(result.current).toBe(false);
  rerender([false, false]);
  expect(result.current).toBe(true);
  rerender([false, true]);
  expect(result.current).toBe(true);
});
