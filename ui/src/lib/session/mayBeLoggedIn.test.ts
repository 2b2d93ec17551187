import { expect, test } from 'vitest';
import { forgetLogin, mayBeLoggedIn } from './mayBeLoggedIn';

test('a visitor may be logged in as long as the server has set its cookie', () => {
  expect(mayBeLoggedIn()).toBe(true);
  forgetLogin();
  expect(mayBeLoggedIn()).toBe(false);
});
