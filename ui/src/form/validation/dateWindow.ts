import { addDays, type PlainDate, parseFormDate, todayInLondon } from '../../lib/dates/dates';
import { isMissing, type LookUp } from '../conditions/conditions';
import type { Field } from '../types';

export interface DateWindow {
  from: PlainDate | null;
  to: PlainDate | null;
}

/**
 * Returns the first and the last allowed day of a date. A limit is null if the field has none. A
 * limit that refers to an answer is null while the answer is no date.
 */
export function dateWindow(field: Field, lookUp: LookUp): DateWindow {
  const bound = (limit: { from: string; days: number } | undefined): PlainDate | null => {
    if (!limit) return null;
    const answer = lookUp(limit.from);
    const start =
      limit.from === 'today'
        ? todayInLondon()
        : parseFormDate(isMissing(answer) ? null : String(answer));
    return start && addDays(start, limit.days);
  };
  return { from: bound(field.validation.min_date), to: bound(field.validation.max_date) };
}
