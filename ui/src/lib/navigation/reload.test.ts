import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadChunk } from './reload';

const missingChunk = () =>
  Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const settled = vi.fn();

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  settled.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a chunk that loads is returned', async () => {
  await expect(loadChunk(() => Promise.resolve('page'))).resolves.toBe('page');
  expect(window.location.reload).not.toHaveBeenCalled();
});

test('a missing chunk reloads once, and only again after 60 seconds', async () => {
  loadChunk(missingChunk).then(settled, settled);
  await vi.advanceTimersByTimeAsync(10);
  expect(window.location.reload).toHaveBeenCalledTimes(1);
  expect(settled).not.toHaveBeenCalled();

  await vi.advanceTimersByTimeAsync(59_000);
  await expect(loadChunk(missingChunk)).rejects.toThrow('dynamically imported');
  expect(window.location.reload).toHaveBeenCalledTimes(1);

  await vi.advanceTimersByTimeAsync(2000);
  loadChunk(missingChunk).then(settled, settled);
  await vi.advanceTimersByTimeAsync(10);
  expect(window.location.reload).toHaveBeenCalledTimes(2);
});

test('the reload ends where the visitor was going', async () => {
  loadChunk(missingChunk, 'http://localhost:3000/dashboard').then(settled, settled);
  await vi.advanceTimersByTimeAsync(10);
  expect(window.location.assign).toHaveBeenCalledWith('http://localhost:3000/dashboard');
});

test("no reload if the time of the last one can't be stored", async () => {
  vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  await expect(loadChunk(missingChunk)).rejects.toThrow();
  expect(window.location.reload).not.toHaveBeenCalled();
});
