import { expect, test } from 'vitest';
import {
  DEFAULT_RULE,
  MISMATCH,
  NO_SPACES,
  passwordFault,
  REQUIRED,
  repeatFault,
  ruleMessage,
} from './passwordRule';

const MESSAGE =
  'Password must contain an uppercase character, a lowercase character, a number, a special symbol and needs to be between 8 and 20 characters long';

const fault = (password: string) => passwordFault(password, DEFAULT_RULE);

test('a password with every kind of character and the right length is valid', () => {
  for (const good of ['Abcdef1!', 'Layby-demo-2026', 'Ünïcode9€x', `Aa1!${'x'.repeat(16)}`]) {
    expect(fault(good), good).toBeNull();
  }
});

test('the rule names what is missing', () => {
  for (const bad of [
    'Abcde1!',
    `Aa1!${'x'.repeat(17)}`,
    'abcdef1!',
    'ABCDEF1!',
    'Abcdefg!',
    'Abcdefg1',
    'Abc def 1',
  ]) {
    expect(fault(bad), bad).toBe(MESSAGE);
  }
  expect(fault('')).toBe(REQUIRED);
  expect(fault('Abc def1!')).toBe(NO_SPACES);
});

test('the repeat is required and has to be the same', () => {
  expect(repeatFault('', 'Abcdef1!')).toBe('Required.');
  expect(repeatFault('Abcdef1', 'Abcdef1!')).toBe(MISMATCH);
  expect(MISMATCH).toBe("Passwords don't match");
  expect(repeatFault('Abcdef1!', 'Abcdef1!')).toBeNull();
});

test("a shop's own rule is told as it is", () => {
  const rule = {
    ...DEFAULT_RULE,
    min_length: 12,
    max_length: 64,
    special: false,
    uppercase: false,
  };
  expect(ruleMessage(rule)).toBe(
    'Password must contain a lowercase character, a number and needs to be between 12 and 64 characters long',
  );
  expect(passwordFault('correct horse 9', { ...rule, no_whitespace: false })).toBeNull();
  const plain = { ...rule, lowercase: false, digit: false };
  expect(ruleMessage(plain)).toBe('Password needs to be between 12 and 64 characters long');
});
