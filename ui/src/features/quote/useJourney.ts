import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { ApiError } from '../../api/client';
import { fieldAt, readAnswer } from '../../form/answers';
import { listErrors, visibleErrors } from '../../form/errors';
import type { FormApi } from '../../form/FormContext';
import { focusPath } from '../../form/focus';
import { serialise } from '../../form/serialize';
import {
  countErrors,
  datasetOf,
  earliestFaulty,
  errorsOn,
  firstQuestion,
  jumpTarget,
  stepsOf,
} from '../../form/steps';
import type {
  Answers,
  Errors,
  Form,
  ProductInfo,
  SerializedProduct,
  StepperData,
} from '../../form/types';
import { useOpenCards } from '../../form/useOpenCards';
import { check, formatFault, lookUpAt } from '../../form/validate';
import { evaluate } from '../../form/visibility';
import { showSnackbar } from '../../lib/snackbar';
import { journeyReducer } from './journey';
import { failureText } from './saving';
import { useChecks } from './useChecks';
import { useDerived } from './useDerived';
import { useStep } from './useStep';

/** "Next" waits a moment, so that what is checked is seen to be checked. */
export const NEXT_DELAY_MS = 500;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export type Busy = 'next' | 'save' | 'pay' | null;

export interface JourneyOptions {
  form: Form;
  info: ProductInfo;
  stepper: StepperData;
  start: { answers: Answers; changed: boolean };
  /** Whether the server holds it already. */
  saved: boolean;
  /** A new quote starts to be filled in, a saved one to be read. */
  open: boolean;
  /** Keeps the answers on the server, or throws what the server said. */
  save: (product: SerializedProduct) => Promise<void>;
  /** Told of a refusal, after the errors are at their fields. */
  onRefused?: (error: ApiError) => void;
}

export function useJourney(options: JourneyOptions) {
  const { form, info, stepper, saved, save, onRefused } = options;
  const [{ answers, errors: allErrors, changed }, dispatch] = useReducer(journeyReducer, {
    answers: options.start.answers,
    errors: {},
    changed: options.start.changed,
  });
  const [busy, setBusy] = useState<Busy>(null);
  const state = useMemo(() => evaluate(form, answers), [form, answers]);
  const steps = useMemo(() => stepsOf(stepper, state.values), [stepper, state.values]);
  const errors = useMemo(() => visibleErrors(allErrors, form, state), [allErrors, form, state]);
  const cards = useOpenCards(options.open);
  const { checkStep, checkSteps } = useChecks(form, dispatch);
  const { current, goTo } = useStep(steps);
  const { show } = useArrival(current?.number);
  const derived = useDerived(form, info, state);

  const index = steps.findIndex((step) => step.number === current?.number);
  const last = steps.at(-1);
  const isLast = current !== undefined && current.number === last?.number;

  // A step ahead of the first unanswered one, or the last one of a quote nobody saved, was
  // reached by an address and not by answering.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only arriving at a step is judged
  useEffect(() => {
    if (index <= 0) return;
    const before = steps.slice(0, saved ? index : Math.min(index, steps.length - 1));
    const limit = before.find((step) => countErrors(check(form, state, step)) > 0);
    const reachable = limit ?? (isLast && !saved ? steps[index - 1] : undefined);
    if (reachable) goTo(reachable.number, { replace: true });
  }, [current?.number]);

  /** Shows where the first error is: its step, its card opened, the field in focus. */
  const reveal = useCallback(
    (found: Errors, step?: number) => {
      cards.openFor(found, form);
      const first = listErrors(found, form, answers).find(
        (error) => datasetOf(error.path, form) !== undefined,
      );
      show(step ?? current?.number, first?.path);
      if (step !== undefined && step !== current?.number) goTo(step);
    },
    [cards, form, answers, show, current?.number, goTo],
  );

  const fail = useCallback(
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      showSnackbar(failureText(error));
      if (countErrors(error.errors) > 0) {
        dispatch({ type: 'refused', errors: error.errors });
        const seen = visibleErrors(error.errors, form, state);
        reveal(seen, earliestFaulty(steps, seen, form));
      } else if (info.stepper === 'generic' && saved && steps[0]) {
        goTo(steps[0].number);
      }
      onRefused?.(error);
    },
    [form, state, steps, info.stepper, saved, reveal, goTo, onRefused],
  );

  /** Runs one thing at a time; a failure is said and nothing typed is lost. */
  const run = async (kind: Exclude<Busy, null>, work: () => Promise<void>) => {
    if (busy) return;
    setBusy(kind);
    try {
      await work();
    } catch (error) {
      fail(error);
    } finally {
      setBusy(null);
    }
  };

  const store = async () => {
    await save(serialise(form, state));
    dispatch({ type: 'saved', seen: answers });
  };

  const needsSave = !saved || changed;

  const next = () =>
    run('next', async () => {
      const following = steps[index + 1];
      if (!current || !following) return;
      const [found] = await Promise.all([checkStep(current, answers), pause(NEXT_DELAY_MS)]);
      const lenient = info.stepper === 'generic' && steps.length === 2;
      if (countErrors(found) > 0 && !lenient) return reveal(found);
      if (following.number === last?.number && needsSave) await store();
      if (saved || following.number !== last?.number) goTo(following.number);
    });

  const back = () => {
    const previous = steps[index - 1];
    if (!current || !previous || busy) return;
    // Both are checked so that their errors stand there on return; going back waits for nothing,
    // and a check that fails is the next Next's business.
    void Promise.allSettled([checkStep(previous, answers), checkStep(current, answers)]);
    goTo(previous.number);
  };

  const jump = (wanted: number) =>
    run('next', async () => {
      if (!current || wanted === current.number) return;
      const target = jumpTarget(steps, wanted, errors, form);
      if (wanted < current.number) return goTo(target);
      const fault = await checkSteps(
        steps.filter((step) => step.number < wanted),
        answers,
      );
      if (fault) return reveal(fault.errors, fault.step.number);
      if (wanted === last?.number && needsSave) await store();
      if (saved || wanted !== last?.number) goTo(wanted);
    });

  const confirmCard = (key: string) => {
    const found = Object.fromEntries(
      Object.entries(check(form, state)).filter(([path]) =>
        key.includes('.') ? path.startsWith(`${key}.`) : datasetOf(path, form) === key,
      ),
    );
    for (const [path, texts] of Object.entries(found)) {
      dispatch({ type: 'fault', path, text: texts[0] ?? '' });
    }
    if (countErrors(found) > 0) {
      reveal(found);
      return false;
    }
    cards.setOpen(key, false);
    return true;
  };

  const api: FormApi = {
    form,
    answers,
    state,
    errors,
    derived,
    change: (path, value) => dispatch({ type: 'change', path, value }),
    leave: (path) => {
      const field = fieldAt(form, path);
      const text = field && formatFault(field, readAnswer(answers, path), lookUpAt(state, path));
      if (text) dispatch({ type: 'fault', path, text });
    },
    add: (identifier) => {
      const dataset = form.datasets.find((each) => each.identifier === identifier);
      if (dataset) dispatch({ type: 'add', dataset });
    },
    remove: (identifier, at) => {
      const dataset = form.datasets.find((each) => each.identifier === identifier);
      if (dataset) dispatch({ type: 'remove', dataset, index: at });
    },
  };

  /** Back to the first question. */
  const editCover = () => {
    const first = steps[0];
    if (!first) return;
    const asked = firstQuestion(first, form, state);
    if (asked) cards.setOpen(asked.card, true);
    show(first.number, asked?.path);
    goTo(first.number);
  };

  return {
    api,
    steps,
    current,
    index,
    isLast,
    cards,
    changed,
    busy,
    /** What is wrong on the step one is on, with what belongs to no step. */
    listed: current
      ? listErrors(
          Object.fromEntries(
            Object.entries(errors).filter(
              ([path]) =>
                datasetOf(path, form) === undefined || path in errorsOn(current, errors, form),
            ),
          ),
          form,
          answers,
        )
      : [],
    next,
    back,
    jump,
    goTo,
    run,
    store,
    checkStep,
    reveal,
    confirmCard,
    editCover,
    show,
    dispatch,
  };
}

export type Journey = ReturnType<typeof useJourney>;

/** Where a step begins: at its top with its heading in focus, or at the field it was opened for. */
function useArrival(step: number | undefined) {
  const waiting = useRef<{ step: number | undefined; path: string } | null>(null);
  const seen = useRef(step);
  const [tick, setTick] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tick` asks for the same step again
  useEffect(() => {
    const wanted = waiting.current;
    if (wanted && wanted.step === step) {
      waiting.current = null;
      seen.current = step;
      // What was just opened is on screen one frame later.
      const frame = requestAnimationFrame(() => focusPath(wanted.path));
      return () => cancelAnimationFrame(frame);
    }
    if (seen.current === step) return;
    seen.current = step;
    window.scrollTo(0, 0);
    document.getElementById(STEP_TITLE_ID)?.focus({ preventScroll: true });
  }, [step, tick]);

  const show = useCallback((at: number | undefined, path: string | undefined) => {
    waiting.current = path === undefined ? null : { step: at, path };
    setTick((now) => now + 1);
  }, []);

  return { show };
}

export const STEP_TITLE_ID = 'step-title';
