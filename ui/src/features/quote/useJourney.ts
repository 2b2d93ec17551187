import { useEffect, useMemo, useRef } from 'react';
import type { ApiError } from '../../api/client';
import type { Prefilled } from '../../form/beginning';
import { listErrors, visibleErrors } from '../../form/errors';
import { serialise } from '../../form/serialize';
import {
  countErrors,
  datasetOf,
  earliestFaulty,
  errorsOn,
  firstQuestion,
  genericStart,
  jumpTarget,
  stepOfPath,
  stepsOf,
  titleOf,
} from '../../form/steps';
import type {
  Answers,
  Errors,
  Form,
  ProductInfo,
  SerializedProduct,
  StepperData,
} from '../../form/types';
import { useForm } from '../../form/useForm';
import { check } from '../../form/validate';
import { showSnackbar } from '../../lib/snackbar';
import { failureText } from './saving';
import { useArrival } from './useArrival';
import { useChecks } from './useChecks';
import { useDerived } from './useDerived';
import { useStep } from './useStep';

/** "Next" waits a moment, so that what is checked is seen to be checked. */
export const NEXT_DELAY_MS = 500;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type Work = 'next' | 'save' | 'pay';

export interface JourneyOptions {
  form: Form;
  info: ProductInfo;
  stepper: StepperData;
  /** Which of its groups of steps; the default one where the product has none of that name. */
  context?: string;
  start: { answers: Answers; changed: boolean; prefilled?: Prefilled };
  /** Whether the server holds it already. */
  saved: boolean;
  /** It holds it without answers that a price needs: going on to the end saves it anew. */
  incomplete?: boolean;
  /** A new quote starts to be filled in, a saved one to be read. */
  open: boolean;
  /** Keeps the answers on the server, or throws what the server said. */
  save: (product: SerializedProduct) => Promise<void>;
  /** Told of a refusal, after the errors are at their fields. */
  onRefused?: (error: ApiError) => void;
}

export function useJourney(options: JourneyOptions) {
  const { form, info, stepper, context, saved, save, onRefused } = options;
  const filled = useForm<Work>({ form, start: options.start, open: options.open });
  const { checked, cards, busy, changed, refused, prefilled, dispatch } = filled;
  const { answers, state, errors } = filled.api;
  const steps = useMemo(
    () => stepsOf(stepper, state.values, context),
    [stepper, state.values, context],
  );
  const { checkStep, checkSteps } = useChecks(form, dispatch);
  const { current, goTo } = useStep(steps);
  const { show } = useArrival(current?.number);
  const derived = useDerived(form, info, state);

  const index = steps.findIndex((step) => step.number === current?.number);
  const last = steps.at(-1);
  const isLast = current !== undefined && current.number === last?.number;
  const generic = info.stepper === 'generic';
  /** With two steps only, the generic stepper goes on whatever the first one's errors. */
  const lenient = generic && steps.length === 2;

  // A step ahead of the first unanswered one, or the last one of a quote nobody saved, was
  // reached by an address and not by answering.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only arriving at a step is judged
  useEffect(() => {
    if (index <= 0 || lenient) return;
    const before = steps.slice(0, saved ? index : Math.min(index, steps.length - 1));
    const limit = before.find((step) => countErrors(check(form, state, step)) > 0);
    const reachable = limit ?? (isLast && !saved ? steps[index - 1] : undefined);
    if (reachable) goTo(reachable.number, { replace: true });
  }, [current?.number]);

  /** Shows where the first error is: its step, its card opened, the field in focus. */
  const reveal = (found: Errors, step?: number) => {
    show(step ?? current?.number, filled.openErrors(found));
    if (step !== undefined && step !== current?.number) goTo(step);
  };

  const updating = useRef(false);

  const fail = (error: ApiError) => {
    showSnackbar(failureText(error));
    const seen = visibleErrors(error.errors, form, state);
    const faulty = countErrors(error.errors) > 0;
    if (faulty) dispatch({ type: 'refused', errors: error.errors });
    // A failed update takes the generic stepper back to its first step, wherever the errors are.
    const start = generic && updating.current ? genericStart(steps) : undefined;
    if (start) {
      cards.openFor(seen, form);
      reveal(errorsOn(start, seen, form), start.number);
    } else if (faulty) {
      reveal(seen, earliestFaulty(steps, seen, form));
    }
    onRefused?.(error);
  };

  /** Runs one piece of work at a time; a failure is said and nothing typed is lost. */
  const run = (kind: Work, work: () => Promise<void>) =>
    filled.run(
      kind,
      () => {
        updating.current = false;
        return work();
      },
      fail,
    );

  const store = async () => {
    updating.current = saved;
    await save(serialise(form, state));
    updating.current = false;
    dispatch({ type: 'saved', seen: answers });
  };

  const needsSave = !saved || changed || options.incomplete === true;

  const next = () =>
    run('next', async () => {
      const following = steps[index + 1];
      if (!current || !following) return;
      const [found] = await Promise.all([checkStep(current, answers), pause(NEXT_DELAY_MS)]);
      const faulty = countErrors(found) > 0;
      if (faulty && !lenient) return reveal(found);
      if (!faulty && following.number === last?.number && needsSave) await store();
      if (saved || faulty || following.number !== last?.number) goTo(following.number);
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
    const found = filled.faultsOfCard(key);
    if (found) {
      reveal(found);
      return false;
    }
    cards.setOpen(key, false);
    return true;
  };

  /** To where an error stands, on whichever step. */
  const open = (path: string) => {
    const step = stepOfPath(path, steps, form);
    cards.openFor({ [path]: [''] }, form);
    show(step?.number, path);
    if (step) goTo(step.number);
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

  const here = Object.fromEntries(
    Object.entries(checked).filter(
      ([path]) =>
        datasetOf(path, form) === undefined ||
        (current !== undefined && path in errorsOn(current, checked, form)),
    ),
  );
  const elsewhere = Object.fromEntries(
    Object.entries(checked).filter(([path]) => !(path in here) && refused.includes(path)),
  );

  return {
    api: { ...filled.api, derived },
    title: titleOf(stepper, state.values),
    steps,
    current,
    index,
    isLast,
    cards,
    changed,
    prefilled,
    busy,
    /** How much is wrong on the step one is on, with what is told at its field alone. */
    errorCount: current ? countErrors({ ...errorsOn(current, errors, form), ...here }) : 0,
    /** What was found wrong on the step one is on, with what belongs to no step. */
    listed: current ? listErrors(here, form, answers) : [],
    /** What a refused save named on other steps than the one it led to. */
    elsewhere: generic ? listErrors(elsewhere, form, answers) : [],
    open,
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
