import { type Dispatch, useEffect, useMemo, useState } from 'react';
import type { FormState } from '../../../form/conditions/visibility';
import {
  applyDefaults,
  type ExpiredDate,
  expiredDates,
  pathsAtDefault,
} from '../../../form/start-date/startDate';
import type { FormAction } from '../../../form/state/formReducer';
import type { Answers, Form } from '../../../form/types';
import {
  compareDates,
  type PlainDate,
  parseIsoDate,
  todayInLondon,
} from '../../../lib/dates/dates';
import { useToday } from '../../../lib/dates/now';

/** The id of the question about a start day that is no longer possible. */
export const START_DAY_ID = 'start-day';

export interface StartDayOptions {
  /** The day on which the answers were started or saved. */
  asOf: PlainDate;
  /**
   * Whether the answers are on the server. A new start day then differs from the saved start day.
   */
  saved: boolean;
  /** Whether the start day stays valid: the saved offer is valid, or the quote is a renewal. */
  isOfferValid: boolean;
}

interface StartDayInput extends StartDayOptions {
  form: Form;
  answers: Answers;
  state: FormState;
  dispatch: Dispatch<FormAction>;
}

/**
 * Moves a default start day when the day changes, also while the page is open. Asks again about a
 * chosen start day that is no longer possible. Does neither while `isOfferValid` is true.
 */
export function useStartDay({
  form,
  answers,
  state,
  asOf,
  saved,
  isOfferValid,
  dispatch,
}: StartDayInput) {
  const name = useToday();
  const today = useMemo(() => parseIsoDate(name) ?? todayInLondon(), [name]);
  /** The day whose defaults the answers have. */
  const [answersDay, setSince] = useState(asOf);
  const open = useMemo(
    () => pathsAtDefault(form, answers, state, answersDay),
    [form, answers, state, answersDay],
  );
  const isOutdated = !isOfferValid && open.length > 0 && compareDates(answersDay, today) !== 0;

  useEffect(() => {
    if (!isOutdated) return;
    const updated = applyDefaults(form, answers, state, open, today);
    dispatch({ type: 'applyDefaults', answers: updated, changed: saved });
    setSince(today);
  }, [isOutdated, form, answers, state, open, today, saved, dispatch]);

  const expired: ExpiredDate | undefined = useMemo(() => {
    if (isOfferValid) return undefined;
    return expiredDates(form, answers, state, today).find(({ path }) => !open.includes(path));
  }, [isOfferValid, form, answers, state, today, open]);
  return { unchosen: open, question: expired ?? null };
}
