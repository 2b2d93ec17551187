import { useEffect, useMemo, useRef } from 'react';
import type { ApiError } from '../../../api/client';
import type { SavedLookUp } from '../../../api/types';
import type { Prefilled } from '../../../form/answers/restoreAnswers';
import { decidingAnswers, serialise } from '../../../form/answers/serialize';
import { evaluate } from '../../../form/conditions/visibility';
import { savedLookUps } from '../../../form/lookups/savedLookUps';
import { withFoundVehicles } from '../../../form/lookups/vehicle/vehicle';
import { withoutDefaults } from '../../../form/start-date/startDate';
import { useForm } from '../../../form/state/useForm';
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
} from '../../../form/steps/steps';
import type {
  Answers,
  Errors,
  Form,
  ProductInfo,
  SerializedProduct,
  StepperData,
} from '../../../form/types';
import { listErrors, visibleErrors } from '../../../form/validation/errors';
import { focusId } from '../../../form/validation/focusPath';
import { check } from '../../../form/validation/validate';
import type { PlainDate } from '../../../lib/dates/dates';
import { showSnackbar } from '../../../lib/messages/snackbar';
import { failureText } from '../saved/saving';
import { START_DAY_ID, useStartDay } from '../start-date/useStartDay';
import { useStep } from '../steps/useStep';
import { useStepFocus } from '../steps/useStepFocus';
import { useChecks } from './useChecks';
import { useDerived } from './useDerived';

/** The shortest duration of "Next", in milliseconds, so that visitors see the check of the step. */
export const NEXT_DELAY_MS = 500;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type JourneyTask = 'next' | 'save' | 'pay';

export interface JourneyOptions {
  form: Form;
  info: ProductInfo;
  stepper: StepperData;
  /** The product's group of steps; the default group if there is none of this name. */
  context?: string;
  start: {
    answers: Answers;
    changed: boolean;
    prefilled?: Prefilled;
    /** The day on which the answers were started or saved. */
    asOf: PlainDate;
  };
  /** Whether the quote is on the server. */
  saved: boolean;
  /**
   * Whether the saved quote is unfinished and must be saved before the last step, even without
   * changes.
   */
  incomplete?: boolean;
  /** The answers that decide the saved offer, as a text. Undefined if the quote is not for sale. */
  offer?: string;
  /** Whether the quote renews a policy. Renewals have other underwriting rules. */
  isRenewal?: boolean;
  /** Whether all cards start open, as in a new quote. */
  open: boolean;
  /** Saves the answers on the server, or throws the server's error. */
  save: (product: SerializedProduct, lookups: SavedLookUp[]) => Promise<void>;
  /** Called after a failed call, once the fields show the errors. */
  onRefused?: (error: ApiError) => void;
}

export function useJourney(options: JourneyOptions) {
  const { form, info, stepper, context, saved, save, onRefused } = options;
  const filled = useForm<JourneyTask>({ form, start: options.start, open: options.open });
  const { checked, cards, busy, changed, refused, prefilled, dispatch } = filled;
  const { answers, state, errors } = filled.api;
  const steps = useMemo(
    () => stepsOf(stepper, state.values, context),
    [stepper, state.values, context],
  );
  const { current, goTo } = useStep(steps);
  const { focusAfterStep } = useStepFocus(current?.number);
  const { offer } = options;
  /** Whether the saved offer is valid: no deciding answer has changed. */
  const isOfferValid = useMemo(
    () =>
      offer !== undefined &&
      offer === decidingAnswers(form, state, [...info.watch, ...info.decides]),
    [offer, form, info, state],
  );
  const isRenewal = options.isRenewal === true;
  const allowPastStart = isOfferValid || isRenewal;
  const { checkStep, checkSteps } = useChecks(form, dispatch, allowPastStart);
  const priced = useMemo(() => {
    const withVehicles = withFoundVehicles(form, answers);
    return {
      answers: withVehicles,
      state: withVehicles === answers ? state : evaluate(form, withVehicles),
    };
  }, [form, answers, state]);
  const { derived, decisions, isDeciding } = useDerived(
    form,
    info,
    priced.state,
    isRenewal,
    allowPastStart,
  );
  const startDay = useStartDay({
    form,
    answers,
    state,
    asOf: options.start.asOf,
    saved,
    isOfferValid: allowPastStart,
    dispatch,
  });

  const index = steps.findIndex((step) => step.number === current?.number);
  const last = steps.at(-1);
  const isLast = current !== undefined && current.number === last?.number;
  const generic = info.stepper === 'generic';
  /** A generic stepper with two steps opens the second step even if the first step has errors. */
  const lenient = generic && steps.length === 2;

  // An address may name a step after a step with errors, or the last step of an unsaved quote. The
  // page then goes back to the first step with errors, or to the step before the last.
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked only when the step changes
  useEffect(() => {
    if (index <= 0 || lenient) return;
    const before = steps.slice(0, saved ? index : Math.min(index, steps.length - 1));
    const limit = before.find((step) => countErrors(check(form, state, step)) > 0);
    const reachable = limit ?? (isLast && !saved ? steps[index - 1] : undefined);
    if (reachable) goTo(reachable.number, { replace: true });
  }, [current?.number]);

  /** Opens the given step and the cards with errors, and focuses the error summary. */
  const reveal = (errors: Errors, step?: number) => {
    focusAfterStep(step ?? current?.number, filled.openErrors(errors), true);
    if (step !== undefined && step !== current?.number) goTo(step);
  };

  const updating = useRef(false);

  const fail = (error: ApiError) => {
    showSnackbar(failureText(error));
    const shownErrors = visibleErrors(error.errors, form, state);
    const faulty = countErrors(error.errors) > 0;
    if (faulty) dispatch({ type: 'refused', errors: error.errors });
    // After a failed update the generic stepper returns to its first step.
    const start = generic && updating.current ? genericStart(steps) : undefined;
    if (start) {
      cards.openFor(shownErrors, form);
      reveal(errorsOn(start, shownErrors, form), start.number);
    } else if (faulty) {
      reveal(shownErrors, earliestFaulty(steps, shownErrors, form));
    }
    onRefused?.(error);
  };

  /**
   * Checks whether the customer must first answer the question about the start day. "Next" may
   * ignore a question of a later step.
   */
  const isBlocked = (kind: JourneyTask) => {
    const question = startDay.question;
    if (!question || !current) return false;
    const step = stepOfPath(question.path, steps, form);
    return kind !== 'next' || step === undefined || step.number <= current.number;
  };

  /**
   * Runs one task at a time. Shows a failure and keeps the typed answers. If the question about the
   * start day comes first, focuses this question and runs nothing.
   */
  const run = async (kind: JourneyTask, work: () => Promise<void>) => {
    if (isBlocked(kind)) return focusId(START_DAY_ID);
    return filled.run(
      kind,
      () => {
        updating.current = false;
        return work();
      },
      fail,
    );
  };

  /** Returns the answers for a save, without default start days. */
  const serialised = () => withoutDefaults(serialise(form, state), startDay.unchosen);

  /** Returns the look-ups from which the answers come, for a save. */
  const lookups = () => savedLookUps(form, answers, state);

  const store = async () => {
    updating.current = saved;
    await save(serialised(), lookups());
    updating.current = false;
    dispatch({ type: 'saved', seen: answers });
  };

  const needsSave = !saved || changed || options.incomplete === true;

  const goNext = () =>
    run('next', async () => {
      const following = steps[index + 1];
      if (!current || !following) return;
      const [errors] = await Promise.all([checkStep(current, answers), pause(NEXT_DELAY_MS)]);
      const faulty = countErrors(errors) > 0;
      if (faulty && !lenient) return reveal(errors);
      if (!faulty && following.number === last?.number && needsSave) await store();
      if (saved || faulty || following.number !== last?.number) goTo(following.number);
    });

  const goBack = () => {
    const previous = steps[index - 1];
    if (!current || !previous || busy) return;
    // Checks both steps in the background, so that the page can show their errors. A failed check
    // is ignored, because "Next" checks the step again.
    void Promise.allSettled([checkStep(previous, answers), checkStep(current, answers)]);
    goTo(previous.number);
  };

  const jump = (number: number) =>
    run('next', async () => {
      if (!current || number === current.number) return;
      const target = jumpTarget(steps, number, errors, form);
      if (number < current.number) return goTo(target);
      const fault = await checkSteps(
        steps.filter((step) => step.number < number),
        answers,
      );
      if (fault) return reveal(fault.errors, fault.step.number);
      if (number === last?.number && needsSave) await store();
      if (saved || number !== last?.number) goTo(number);
    });

  const confirmCard = (key: string) => {
    const errors = filled.faultsOfCard(key);
    if (errors) {
      // The field is near: the button belongs to its card.
      focusAfterStep(current?.number, filled.openErrors(errors));
      return false;
    }
    cards.setOpen(key, false);
    return true;
  };

  /** Opens the step and the card of a field, and focuses the field. */
  const open = (path: string) => {
    const step = stepOfPath(path, steps, form);
    cards.openFor({ [path]: [''] }, form);
    focusAfterStep(step?.number, path);
    if (step) goTo(step.number);
  };

  /** Opens the first step and the card of its first question, and focuses this question. */
  const editCover = () => {
    const first = steps[0];
    if (!first) return;
    const question = firstQuestion(first, form, state);
    if (question) cards.setOpen(question.card, true);
    focusAfterStep(first.number, question?.path);
    goTo(first.number);
  };

  const stepErrors = Object.fromEntries(
    Object.entries(checked).filter(
      ([path]) =>
        datasetOf(path, form) === undefined ||
        (current !== undefined && path in errorsOn(current, checked, form)),
    ),
  );
  const elsewhere = Object.fromEntries(
    Object.entries(checked).filter(([path]) => !(path in stepErrors) && refused.includes(path)),
  );

  return {
    api: { ...filled.api, derived, decisions },
    /** The answers for price and underwriting, with the vehicles that were found. */
    priced,
    isDeciding,
    isOfferValid,
    question: startDay.question,
    title: titleOf(stepper, state.values),
    steps,
    current,
    index,
    isLast,
    cards,
    changed,
    prefilled,
    busy,
    /** The number of errors on the current step, including the errors found on leaving a field. */
    errorCount: current ? countErrors({ ...errorsOn(current, errors, form), ...stepErrors }) : 0,
    /** The errors of the current step, and the errors that belong to no step. */
    listed: current ? listErrors(stepErrors, form, answers) : [],
    /** The errors of a refused save on other steps. Only a generic stepper shows them. */
    elsewhere: generic ? listErrors(elsewhere, form, answers) : [],
    open,
    next: goNext,
    back: goBack,
    jump,
    goTo,
    run,
    serialised,
    lookups,
    store,
    checkStep,
    reveal,
    confirmCard,
    editCover,
    focusAfterStep,
    dispatch,
  };
}

export type Journey = ReturnType<typeof useJourney>;
