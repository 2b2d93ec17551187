import { beforeEach, expect, test } from 'vitest';
import { removeExpiredAnswers } from '../../lib/storage/expiredAnswers';
import { storedKeys } from '../../lib/storage/storage';
import { forgetToken, saveToken } from '../../lib/storage/tokens';
import { COMPLETE } from '../../testing/products/product';
import { readLastQuote, writeDraft, writeLastQuote } from './draft';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

beforeEach(() => {
  localStorage.clear();
});

test('answers and tokens leave the browser after 7 days, of whatever product and quote', () => {
  writeDraft('breakdown', { answers: COMPLETE });
  writeDraft('0197f3c2-0000-7000-8000-000000000001', { answers: COMPLETE, revision: 1 });
  saveToken('quote-1', 'secret');
  writeLastQuote('gadget', { uuid: 'quote-1', custom_id: 'GAD1' });
  localStorage.setItem('layby.click.partner-1', '"quote-1"');
  removeExpiredAnswers(inDays(6));
  expect(storedKeys('layby.')).toHaveLength(5);
  // Removes the token from memory but not from the storage, as in a new document.
  const stored = localStorage.getItem('layby.token.quote-1') ?? '';
  forgetToken('quote-1');
  localStorage.setItem('layby.token.quote-1', stored);
  removeExpiredAnswers(inDays(8));
  expect(storedKeys('layby.')).toEqual([]);
  expect(readLastQuote('gadget')).toBeNull();
});
