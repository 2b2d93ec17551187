import { describe, expect, test } from 'vitest';
import { COMPLETE } from '../testing/products/product';
import {
  forgetLastQuote,
  readDraft,
  readLastQuote,
  removeDraft,
  writeDraft,
  writeLastQuote,
} from './draft';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

describe('a draft', () => {
  test('is kept until it is removed', () => {
    writeDraft('breakdown', { answers: COMPLETE, preset: 'national' });
    expect(readDraft('breakdown', 30)).toMatchObject({ answers: COMPLETE, preset: 'national' });
    expect(readDraft('gadget', 30)).toBeNull();
    removeDraft('breakdown');
    expect(readDraft('breakdown', 30)).toBeNull();
  });

  test('is gone when a quote of that age would be', () => {
    writeDraft('breakdown', { answers: COMPLETE });
    expect(readDraft('breakdown', 30, inDays(29))).not.toBeNull();
    expect(readDraft('breakdown', 30, inDays(31))).toBeNull();
    expect(readDraft('breakdown', 30)).toBeNull();
  });

  test.each(['nonsense', '{}', '{"answers":{"values":1}}', 'null'])('%s is none', (text) => {
    localStorage.setItem('layby.draft.breakdown', text);
    expect(readDraft('breakdown', 30)).toBeNull();
  });

  test('the last saved quote is kept', () => {
    expect(readLastQuote('breakdown')).toBeNull();
    writeLastQuote('breakdown', { uuid: 'u', custom_id: 'BRK1' });
    expect(readLastQuote('breakdown')).toEqual({ uuid: 'u', custom_id: 'BRK1' });
    forgetLastQuote('breakdown');
    expect(readLastQuote('breakdown')).toBeNull();
  });
});
