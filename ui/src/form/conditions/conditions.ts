import type { Condition, Scalar } from '../types';

/** Returns a field's answer. Hidden and unanswered fields give `undefined` or `null`. */
export type LookUp = (field: string) => Scalar | undefined;

export function isMissing(value: Scalar | undefined): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}

/** Checks whether a condition is true. The server evaluates the same data by the same rules. */
export function holds(condition: Condition, lookUp: LookUp): boolean {
  if (condition.all) return condition.all.every((each) => holds(each, lookUp));
  if (condition.any) return condition.any.some((each) => holds(each, lookUp));
  if (condition.not) return !holds(condition.not, lookUp);
  if (condition.field === undefined) return false;

  const value = lookUp(condition.field);
  if (condition.set !== undefined) return isMissing(value) !== condition.set;
  if (isMissing(value)) return false;
  if (condition.is !== undefined) return value === condition.is;
  if (condition.in) return condition.in.includes(value);
  if (condition.at_least !== undefined)
    return typeof value === 'number' && value >= condition.at_least;
  if (condition.at_most !== undefined)
    return typeof value === 'number' && value <= condition.at_most;
  return false;
}
