import { afterEach, expect, test, vi } from 'vitest';
import { readStored, removeStored, writeStored } from './storage';
import { forgetToken, saveToken, tokenFor } from './tokens';

afterEach(() => vi.restoreAllMocks());

test('what was written is read, until it is removed', () => {
  expect(writeStored('draft', { a: 1 })).toBe(true);
  expect(readStored('draft')).toEqual({ a: 1 });
  removeStored('draft');
  expect(readStored('draft')).toBeNull();
});

test('values that other code stored are ignored', () => {
  localStorage.setItem('draft', '{broken');
  expect(readStored('draft')).toBeNull();
});

test('a browser that refuses to store is no failure', () => {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  expect(writeStored('draft', 1)).toBe(false);
  expect(readStored('draft')).toBeNull();
  saveToken('uuid-1', 'secret');
  expect(tokenFor('uuid-1')).toBe('secret');
  forgetToken('uuid-1');
  expect(tokenFor('uuid-1')).toBeNull();
});

test('a token belongs to one quote', () => {
  saveToken('uuid-2', 'secret');
  expect(localStorage.getItem('layby.token.uuid-2')).toContain('"secret"');
  expect(tokenFor('uuid-2')).toBe('secret');
  expect(tokenFor('uuid-3')).toBeNull();
});
