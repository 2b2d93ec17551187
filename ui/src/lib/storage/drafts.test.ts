import { expect, test } from 'vitest';
import {
  CLICK_THROUGHS,
  DRAFTS,
  EXCLUSION_ANSWERS,
  forgetAnswers,
  LAST_QUOTES,
  POLICY_CHANGES,
} from './drafts';
import { readStored, writeStored } from './storage';

test('after a logout no answer of a quote or a policy is left in the browser', () => {
  const local = [DRAFTS, LAST_QUOTES, CLICK_THROUGHS].map((prefix) => `${prefix}1`);
  const session = [EXCLUSION_ANSWERS, POLICY_CHANGES].map((prefix) => `${prefix}1`);
  for (const key of local) writeStored(key, { name: 'Ann' });
  for (const key of session) writeStored(key, { name: 'Ann' }, 'session');
  writeStored('layby.other', 1);

  forgetAnswers();

  expect(local.map((key) => readStored(key))).toEqual([null, null, null]);
  expect(session.map((key) => readStored(key, 'session'))).toEqual([null, null]);
  expect(readStored('layby.other')).toBe(1);
});
