import { expect, test } from 'vitest';
import { isPhoneNumber } from './phone';

test.each([
  '07400 123456',
  '7400 123456',
  '+44 (0)20 7946 0018',
  '(020) 7946-0018',
  '0044 20 7946 0018',
  '016977 2345',
  '0800 123 456',
  '+353 85 012 3456',
])('%s can be a telephone number', (text) => expect(isPhoneNumber(text)).toBe(true));

test.each(['07400 12345', '+44 7400 12345', '07400 1234567', '020 7946', '12', 'phone', '+'])(
  '%s can be none',
  (text) => expect(isPhoneNumber(text)).toBe(false),
);
