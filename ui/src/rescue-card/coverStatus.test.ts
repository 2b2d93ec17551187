import { describe, expect, test } from 'vitest';
import { cardWith, policyWith } from '../testing/rescueCard';
import { coverStatusAt } from './coverStatus';

const time = (moment: string) => Date.parse(moment);
const NEXT = policyWith({
  reference: 'BRK000000026',
  cover_periods: [{ begins: '2027-11-25T00:00:00Z', ends: '2028-11-24T00:00:00Z' }],
});

describe('a card, by the clock of its device', () => {
  test('says that cover has not begun, runs, and is over', () => {
    const card = cardWith();
    for (const [moment, state] of [
      ['2026-11-24T23:59:59Z', 'not_yet'],
      ['2026-11-25T00:00:00Z', 'covered'],
      ['2027-11-24T23:59:59Z', 'covered'],
      ['2027-11-25T00:00:00Z', 'ended'],
    ] as const) {
      expect(coverStatusAt(card, time(moment))?.state, moment).toBe(state);
    }
    expect(coverStatusAt(card, time('2026-11-24T12:00:00Z'))?.begins).toBe('2026-11-25T00:00:00Z');
  });

  test('goes on with the renewal, whose end is the end that it says', () => {
    const card = cardWith({ policies: [policyWith(), NEXT] });
    const before = coverStatusAt(card, time('2027-11-24T23:59:59Z'));
    expect(before?.policy.reference).toBe('BRK000000018');
    expect(before?.ends).toBe('2028-11-24T00:00:00Z');
    const after = coverStatusAt(card, time('2027-11-25T00:00:00Z'));
    expect(after?.policy.reference).toBe('BRK000000026');
    expect(after?.state).toBe('covered');
  });

  test('waits between two trips', () => {
    const trips = policyWith({
      cover_periods: [
        { begins: '2026-12-01T00:00:00Z', ends: '2026-12-06T00:00:00Z' },
        { begins: '2026-12-10T00:00:00Z', ends: '2026-12-13T00:00:00Z' },
      ],
    });
    const card = cardWith({ policies: [trips] });
    const between = coverStatusAt(card, time('2026-12-07T12:00:00Z'));
    expect(between?.state).toBe('not_yet');
    expect(between?.begins).toBe('2026-12-10T00:00:00Z');
    expect(coverStatusAt(card, time('2026-12-02T12:00:00Z'))?.ends).toBe('2026-12-06T00:00:00Z');
  });

  test('says what was cancelled, whatever its days were', () => {
    const card = cardWith({ policies: [policyWith({ status: 'cancelled', cover_periods: [] })] });
    expect(coverStatusAt(card, time('2027-01-01T12:00:00Z'))?.state).toBe('cancelled');
  });
});
