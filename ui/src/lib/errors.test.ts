import { expect, test } from 'vitest';
import { recentErrors, recordError } from './errors';

test('the last ten errors are kept, the oldest is dropped', () => {
  for (let n = 1; n <= 12; n += 1) recordError({ message: `error ${n}`, status: 500 });
  const kept = recentErrors.get().map((error) => error.message);
  expect(kept).toHaveLength(10);
  expect(kept[0]).toBe('error 3');
  expect(kept[9]).toBe('error 12');
});
