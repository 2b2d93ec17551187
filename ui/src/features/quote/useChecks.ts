import { type Dispatch, useCallback } from 'react';
import { visibleErrors } from '../../form/errors';
import type { FormAction } from '../../form/formReducer';
import { serialise } from '../../form/serialize';
import { countErrors } from '../../form/steps';
import type { Answers, Errors, Form, Step } from '../../form/types';
import { check } from '../../form/validate';
import { evaluate } from '../../form/visibility';
import { checkOnServer } from './saving';

/**
 * Checks steps as they stand, here and on the server, whose words come first where both see the
 * same fault. What is found is put at its fields.
 */
export function useChecks(form: Form, dispatch: Dispatch<FormAction>) {
  const checkStep = useCallback(
    async (step: Step, answers: Answers): Promise<Errors> => {
      const state = evaluate(form, answers);
      const found = await checkOnServer(serialise(form, state), step.number);
      const errors = visibleErrors({ ...check(form, state, step), ...found }, form, state);
      dispatch({ type: 'checked', steps: [step], errors, form, seen: answers });
      return errors;
    },
    [form, dispatch],
  );

  /** The first step with an error ends the walk. */
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
