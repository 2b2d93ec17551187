import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { progressAt, useSimulatedProgress } from './progress';
import { withMinDelay } from './withMinDelay';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the shortest fetch', () => {
  test('a quick answer is held back for 200 ms', async () => {
    const seen = vi.fn();
    withMinDelay(Promise.resolve('answer')).then(seen);
    await vi.advanceTimersByTimeAsync(199);
    expect(seen).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toHaveBeenCalledWith('answer');
  });

  test('so is a quick failure, and it stays a failure', async () => {
    const failed = vi.fn();
    withMinDelay(Promise.reject(new Error('no'))).catch(failed);
    await vi.advanceTimersByTimeAsync(199);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(failed).toHaveBeenCalled();
  });
});

describe('the loading bar', () => {
  test('fills over five seconds and no further', () => {
    expect(progressAt(0)).toBe(0);
    expect(progressAt(2500)).toBe(50);
    expect(progressAt(5000)).toBe(100);
    expect(progressAt(60_000)).toBe(100);
  });

  test('a wait under 200 ms never shows', () => {
    const { result, rerender } = renderHook(({ busy }) => useSimulatedProgress(busy), {
      initialProps: { busy: true },
    });
    act(() => vi.advanceTimersByTime(199));
    rerender({ busy: false });
    act(() => vi.advanceTimersByTime(1000));
    expect(result.current).toBeNull();
    rerender({ busy: true });
    act(() => vi.advanceTimersByTime(200));
    expect(result.current).not.toBeNull();
  });

  test('a longer one moves, fills at its end and goes', () => {
    const { result, rerender } = renderHook(({ busy }) => useSimulatedProgress(busy), {
      initialProps: { busy: true },
    });
    act(() => vi.advanceTimersByTime(2500));
    expect(result.current).toBeGreaterThan(40);
    expect(result.current).toBeLessThan(60);
    rerender({ busy: false });
    expect(result.current).toBe(100);
    act(() => vi.advanceTimersByTime(400));
    expect(result.current).toBeNull();
  });
});
