import { expect, test } from 'vitest';
import { recentErrors, recordError } from './errors';

test('the last ten errors are kept, the oldest is dropped', () => {
  for (let n = 1; n <= 12; n += 1) recordError({ message: `error ${n}`, status: 500 });
  const messages = recentErrors.get().map((error) => error.message);
  expect(messages).toHaveLength(10);
  expect(messages[0]).toBe('error 3');
  expect(messages[9]).toBe('error 12');
});
