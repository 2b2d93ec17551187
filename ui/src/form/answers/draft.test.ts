import { describe, expect, test } from 'vitest';
import { COMPLETE } from '../../testing/products/product';
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
  test('is stored until it is removed', () => {
    writeDraft('breakdown', { answers: COMPLETE, preset: 'national' });
    expect(readDraft('breakdown')).toMatchObject({ answers: COMPLETE, preset: 'national' });
    expect(readDraft('gadget')).toBeNull();
    removeDraft('breakdown');
    expect(readDraft('breakdown')).toBeNull();
  });

  test('stores no identities of cards', () => {
    writeDraft('breakdown', { answers: { ...COMPLETE, rows: { vehicles: ['a'] } } });
    expect(readDraft('breakdown')?.answers).toEqual(COMPLETE);
  });

  test('expires after 7 days', () => {
    writeDraft('breakdown', { answers: COMPLETE });
    expect(readDraft('breakdown', inDays(6))).not.toBeNull();
    expect(readDraft('breakdown', inDays(8))).toBeNull();
    expect(readDraft('breakdown')).toBeNull();
  });

  test.each(['nonsense', '{}', '{"answers":{"values":1}}', 'null'])('%s is no draft', (text) => {
    localStorage.setItem('layby.draft.breakdown', text);
    expect(readDraft('breakdown')).toBeNull();
  });

  test('the last saved quote is stored', () => {
    expect(readLastQuote('breakdown')).toBeNull();
    writeLastQuote('breakdown', { uuid: 'u', custom_id: 'BRK1' });
    expect(readLastQuote('breakdown')).toEqual({ uuid: 'u', custom_id: 'BRK1' });
    forgetLastQuote('breakdown');
    expect(readLastQuote('breakdown')).toBeNull();
  });
});
