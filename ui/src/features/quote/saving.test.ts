import { expect, test } from 'vitest';
import { ApiError } from '../../api/client';
import { failureText, TRY_AGAIN } from './saving';

const words = (status: number, wait: number | null = null) =>
  failureText(new ApiError(status, 'What the server says', {}, null, wait));

test('a refused save says what to do where that is known, else the general words', () => {
  expect(words(404)).toBe(
    'This quote is no longer here. You can start a new one with the same answers.',
  );
  expect(words(429, 1)).toBe('That was too many tries. Please wait 1 second and try again.');
  expect(words(503, 30)).toBe('We are busy just now. Please wait 30 seconds and try again.');
  expect(words(503, 90)).toBe('We are busy just now. Please wait 2 minutes and try again.');
  expect(words(503)).toBe('We are busy just now. Please wait a moment and try again.');
  expect(TRY_AGAIN).toBe('Error. Please correct the form and try again.');
  for (const status of [400, 403, 422, 500]) expect(words(status), `${status}`).toBe(TRY_AGAIN);
});
