import { type Dispatch, useCallback } from 'react';
import { serialise } from '../../../form/answers/serialize';
import { evaluate } from '../../../form/conditions/visibility';
import { expiredDates } from '../../../form/start-date/startDate';
import type { FormAction } from '../../../form/state/formReducer';
import { countErrors } from '../../../form/steps/steps';
import type { Answers, Errors, Form, Step } from '../../../form/types';
import { visibleErrors } from '../../../form/validation/errors';
import { check } from '../../../form/validation/validate';
import { todayInLondon } from '../../../lib/dates/dates';
import { checkOnServer } from '../saved/saving';

/**
 * Checks steps in the browser and on the server, and shows the errors. For the same answer, the
 * server's errors replace the browser's errors. With `allowPastStart` a past start day is no error,
 * as in a renewal or a valid offer.
 */
export function useChecks(form: Form, dispatch: Dispatch<FormAction>, allowPastStart: boolean) {
  const checkStep = useCallback(
    async (step: Step, answers: Answers): Promise<Errors> => {
      const state = evaluate(form, answers);
      const serverErrors = await checkOnServer(serialise(form, state), step.number);
      const errors = visibleErrors({ ...check(form, state, step), ...serverErrors }, form, state);
      if (allowPastStart) {
        for (const { path } of expiredDates(form, answers, state, todayInLondon())) {
          delete errors[path];
        }
      }
      dispatch({ type: 'checked', steps: [step], errors, form, seen: answers });
      return errors;
    },
    [form, dispatch, allowPastStart],
  );

  /**
   * Checks one step after another, up to the first step with an error. Returns this step with its
   * errors, or null.
   */
  const checkSteps = useCallback(
    async (steps: Step[], answers: Answers): Promise<{ step: Step; errors: Errors } | null> => {
      for (const step of steps) {
        const errors = await checkStep(step, answers);
        if (countErrors(errors) > 0) return { step, errors };
      }
      return null;
    },
    [checkStep],
  );

  return { checkStep, checkSteps };
}
