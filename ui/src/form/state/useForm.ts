import { useMemo, useReducer, useRef, useState } from 'react';
import { ApiError } from '../../api/client';
import { useRestoredFocus } from '../../lib/focusRestore';
import { afterPointerUp } from '../../lib/timing/afterPointerUp';
import { fieldAt, readAnswer } from '../answers/answers';
import type { Prefilled } from '../answers/restoreAnswers';
import { useOpenCards } from '../cards/useOpenCards';
import { evaluate } from '../conditions/visibility';
import { countErrors, datasetOf } from '../steps/steps';
import type { Answers, Errors, Form } from '../types';
import { listErrors, visibleErrors } from '../validation/errors';
import { checkCard, formatFault, lookUpAt } from '../validation/validate';
import type { FormApi } from './FormContext';
import { formReducer } from './formReducer';

export interface FormStart {
  answers: Answers;
  /** The initial errors. */
  errors?: Errors;
  /** Whether the answers may differ from those on the server. */
  changed?: boolean;
  prefilled?: Prefilled;
}

interface FormOptions {
  form: Form;
  start: FormStart;
  /** Whether all cards start open. */
  open: boolean;
}

const NOTHING = {};

/**
 * Holds a product form for a new quote, a saved quote or a change. The state contains the answers,
 * the visible fields, the errors, the open cards and the running task.
 */
export function useForm<Work extends string>({ form, start, open }: FormOptions) {
  const [filled, dispatch] = useReducer(formReducer, {
    answers: start.answers,
    errors: start.errors ?? {},
    blurErrors: {},
    refused: [],
    prefilled: start.prefilled ?? null,
    changed: start.changed ?? false,
  });
  const { answers, blurErrors } = filled;
  const cards = useOpenCards(open);
  const state = useMemo(() => evaluate(form, answers), [form, answers]);
  const checked = useMemo(
    () => visibleErrors(filled.errors, form, state),
    [filled.errors, form, state],
  );
  const errors = useMemo(
    () => ({ ...visibleErrors(blurErrors, form, state), ...checked }),
    [blurErrors, checked, form, state],
  );

  const [busy, setBusy] = useState<Work | null>(null);
  const running = useRef(false);
  const saveFocus = useRestoredFocus(busy !== null);

  /**
   * Runs one task at a time. A call during a running task does nothing. Passes an API error to
   * `onRefused`.
   */
  const run = async (
    kind: Work,
    work: () => Promise<void>,
    onRefused: (error: ApiError) => void,
  ) => {
    if (running.current) return;
    running.current = true;
    saveFocus();
    setBusy(kind);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      onRefused(error);
    } finally {
      running.current = false;
      setBusy(null);
    }
  };

  /**
   * Opens the cards with these errors. Returns the path of the first error in the form, if there is
   * one.
   */
  const openErrors = (errors: Errors): string | undefined => {
    cards.openFor(errors, form);
    const inForm = listErrors(errors, form, answers).find(
      ({ path }) => datasetOf(path, form) !== undefined,
    );
    return inForm?.path;
  };

  /** Checks one card and shows its errors. Returns them, or null if there are none. */
  const faultsOfCard = (key: string): Errors | null => {
    const errors = checkCard(form, state, key);
    if (countErrors(errors) === 0) return null;
    dispatch({ type: 'addErrors', errors: errors });
    return errors;
  };

  const datasetNamed = (identifier: string) =>
    form.datasets.find((dataset) => dataset.identifier === identifier);

  const api: FormApi = {
    form,
    answers,
    state,
    errors,
    derived: NOTHING,
    decisions: NOTHING,
    change: (path, value) => dispatch({ type: 'change', path, value }),
    setHome: (home) => dispatch({ type: 'setHome', home }),
    setLookup: (path, lookUp) => dispatch({ type: 'setLookup', path, lookUp }),
    onBlur: (path) => {
      const field = fieldAt(form, path);
      const value = readAnswer(answers, path);
      const text = field && formatFault(field, value, lookUpAt(state, path));
      if (text) afterPointerUp(() => dispatch({ type: 'blurError', path, value, text }));
    },
    add: (identifier) => {
      const dataset = datasetNamed(identifier);
      if (dataset) dispatch({ type: 'add', dataset, row: crypto.randomUUID() });
    },
    remove: (identifier, index) => {
      const dataset = datasetNamed(identifier);
      if (!dataset) return;
      cards.remove(identifier, index);
      dispatch({ type: 'remove', dataset, index });
    },
    clear: (identifier, index) => {
      const dataset = datasetNamed(identifier);
      if (dataset) dispatch({ type: 'remove', dataset, index, row: crypto.randomUUID() });
    },
  };

  return {
    api,
    /**
     * The errors that a check or the server found, without those found when the visitor left a
     * field.
     */
    checked,
    refused: filled.refused,
    prefilled: filled.prefilled,
    changed: filled.changed,
    cards,
    busy,
    run,
    openErrors,
    faultsOfCard,
    dispatch,
  };
}
