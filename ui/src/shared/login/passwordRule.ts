import type { PasswordRule } from '../../api/types';

export const REQUIRED = 'Required.';
export const MISMATCH = "Passwords don't match";
export const NO_SPACES = 'Password must not contain spaces';

export const DEFAULT_RULE: PasswordRule = {
  min_length: 8,
  max_length: 20,
  uppercase: true,
  lowercase: true,
  digit: true,
  special: true,
  no_whitespace: true,
};

type CharacterKind = 'uppercase' | 'lowercase' | 'digit' | 'special';

const CHARACTER_KINDS: readonly { part: CharacterKind; words: string; pattern: RegExp }[] = [
  { part: 'uppercase', words: 'an uppercase character', pattern: /\p{Lu}/u },
  { part: 'lowercase', words: 'a lowercase character', pattern: /\p{Ll}/u },
  { part: 'digit', words: 'a number', pattern: /\p{Nd}/u },
  { part: 'special', words: 'a special symbol', pattern: /[^\p{L}\p{N}\s]/u },
];

/** Returns the rule in one sentence, without the ban on spaces. */
export function ruleMessage(rule: PasswordRule): string {
  const parts = CHARACTER_KINDS.filter(({ part }) => rule[part]).map(({ words }) => words);
  const contains = parts.length > 0 ? `must contain ${parts.join(', ')} and ` : '';
  return `Password ${contains}needs to be between ${rule.min_length} and ${rule.max_length} characters long`;
}

/** Returns the error of a new password, or null if the password follows the rule. */
export function passwordFault(password: string, rule: PasswordRule): string | null {
  if (password === '') return REQUIRED;
  const length = [...password].length;
  const hasValidLength = length >= rule.min_length && length <= rule.max_length;
  if (
    !hasValidLength ||
    CHARACTER_KINDS.some(({ part, pattern }) => rule[part] && !pattern.test(password))
  ) {
    return ruleMessage(rule);
  }
  return rule.no_whitespace && /\s/u.test(password) ? NO_SPACES : null;
}

export function repeatFault(repeat: string, password: string): string | null {
  if (repeat === '') return REQUIRED;
  return repeat === password ? null : MISMATCH;
}
