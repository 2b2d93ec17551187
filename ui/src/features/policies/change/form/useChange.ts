import { useEffect, useMemo, useState } from 'react';
import { ApiError } from '../../../../api/client';
import { confirmChange, keepPrice } from '../../../../api/policies/policy';
import type { Adjustment, PolicyRead, PolicyTerm } from '../../../../api/policies/policyTypes';
import { placeOf, writeAnswer } from '../../../../form/answers/answers';
import { padInstances } from '../../../../form/answers/restoreAnswers';
import { answersFrom } from '../../../../form/answers/serialize';
import { evaluate } from '../../../../form/conditions/visibility';
import { refusesLookUps, savedLookUps, savedWith } from '../../../../form/lookups/savedLookUps';
import { useForm } from '../../../../form/state/useForm';
import { countErrors } from '../../../../form/steps/steps';
import type { Answers, Errors, Product, Scalar } from '../../../../form/types';
import { listErrors, visibleErrors } from '../../../../form/validation/errors';
import { focusPathSoon } from '../../../../form/validation/focusPath';
import { check } from '../../../../form/validation/validate';
import { showSnackbar } from '../../../../lib/messages/snackbar';
import { reloadPage } from '../../../../lib/navigation/reload';
import { afterPointerUp } from '../../../../lib/timing/afterPointerUp';
import { futureStartRange, laterDay, NOW, type StartChoice, validateDay } from '../../startChoice';
import type { ChangePriceRequest } from '../price/useChangePricePreview';
import { changeForm } from './changeForm';
import {
  apply,
  asProduct,
  type Changes,
  changesIn,
  changesOf,
  isEmpty,
  movesPrice,
  subtractChanges,
} from './changes';
import { refusalText } from './refusal';
import { forgetSaveResult, readSaveResult, storeSaveResult } from './saveResult';

export const SAVED = 'Your details are saved.';
/** The path of the day, for the server's errors and for the id of the input. */
export const DAY = 'effective_date';
const NO_DAY = 'Enter the day on which this change should start';
const NOT_SAVED = 'Error. Please correct the form and try again.';
const NOTHING_CHANGED = 'Nothing is different yet. Change what you need first.';

type ChangeTask = 'save' | 'price';

interface ChangeOptions {
  product: Product;
  read: PolicyRead;
  policy: PolicyTerm;
  onPriced: (adjustment: Adjustment) => void;
}

/**
 * Holds the form of a change: the answers, the differences from the policy, and the calls to the
 * server.
 */
export function useChange({ product, read, policy, onPriced }: ChangeOptions) {
  const { uuid } = read.info;
  const [{ form, statements }] = useState(() => changeForm(product.form, read, policy));
  const [saveResult] = useState(() => readSaveResult(uuid));
  const [before] = useState(() => padInstances(form, answersFrom(read.values, read.multi)));
  const filled = useForm<ChangeTask>({
    form,
    start: {
      answers: saveResult
        ? { ...apply(before, saveResult.changes), lookups: saveResult.lookups }
        : before,
      errors: saveResult?.errors,
    },
    open: false,
  });
  const { api, checked, cards, busy, dispatch } = filled;
  const { answers, state } = api;
  const [failure, setFailure] = useState<unknown>(null);
  const changes = useMemo(() => changesOf(form, before, answers), [form, before, answers]);
  const dirty = !isEmpty(changes);
  const priced = movesPrice(form, before, changes);
  const days = futureStartRange(policy.change_days);
  const [chosen, setStart] = useState<StartChoice>(saveResult?.start ?? NOW);
  const start = days ? chosen : NOW;
  const startFault = validateDay(start, days, NO_DAY);

  /** Returns the errors of all answers and of the chosen day. */
  const checkAll = (): Errors => {
    const errors = check(form, state);
    return startFault ? { ...errors, [DAY]: [startFault] } : errors;
  };

  /** Opens the cards with errors, and focuses the error summary. */
  const reveal = (errors: Errors) => {
    const first = filled.openErrors(errors) ?? (errors[DAY] ? DAY : undefined);
    if (first) focusPathSoon(first, true);
  };

  // The page shows the result of the last save only once, so the stored result is removed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown once, when the page opens
  useEffect(() => {
    if (!saveResult) return;
    forgetSaveResult(uuid);
    if (!saveResult.success) reveal(saveResult.errors);
  }, []);

  const showErrors = (errors: Errors) => {
    dispatch({ type: 'addErrors', errors: errors });
    reveal(errors);
  };

  const refuse = (error: ApiError) => {
    setFailure(error);
    dispatch({ type: 'refused', errors: error.errors });
    reveal(visibleErrors(error.errors, form, state));
  };

  const run = (kind: ChangeTask, work: () => Promise<void>) =>
    filled.run(
      kind,
      () => {
        setFailure(null);
        return work();
      },
      refuse,
    );

  /**
   * Saves changes that do not affect the price. Reloads the page afterwards, even if the call
   * fails.
   */
  const saveUnpriced = (part: Changes) =>
    run('save', async () => {
      const remaining = subtractChanges(changes, part);
      const { lookups } = answers;
      const failed = { success: false, changes, lookups, start };
      const product = asProduct(form, part);
      const named = savedLookUps(form, answers, state).filter(({ path }) => {
        const { dataset, field } = placeOf(path);
        return dataset === undefined ? field in part.values : dataset in part.multi;
      });
      try {
        let response = await keepPrice(uuid, product, named);
        if (refusesLookUps(response.errors)) response = await keepPrice(uuid, product);
        storeSaveResult(
          uuid,
          response.success === 1
            ? { success: true, errors: {}, message: null, changes: remaining, lookups, start }
            : { ...failed, errors: response.errors, message: NOT_SAVED },
        );
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        storeSaveResult(uuid, { ...failed, errors: error.errors, message: refusalText(error) });
      }
      reloadPage();
    });

  /** Returns all answers, and null for each removed answer, as the price request needs. */
  const fullProduct = (answers: Answers, changes: Changes) => {
    const allChanges = changesOf(form, { values: {}, multi: {} }, answers);
    return asProduct(form, {
      values: { ...allChanges.values, ...changes.values },
      multi: { ...allChanges.multi, ...changes.multi },
    });
  };

  const day = laterDay(start, days);
  const requestOf = (answers: Answers, changes: Changes): ChangePriceRequest => ({
    product: fullProduct(answers, changes),
    ...(day ? { effective_date: day } : {}),
  });
  const isWhole = dirty && priced && countErrors(checkAll()) === 0;
  /**
   * The price request for the preview, or null if the form has errors or no change affects the
   * price.
   */
  const priceRequest = isWhole ? requestOf(answers, changes) : null;

  /**
   * Returns the price request with another answer. Returns null if the answers then have errors, or
   * are those of the policy.
   */
  const priceRequestWith = (path: string, value: Scalar): ChangePriceRequest | null => {
    const other = writeAnswer(answers, path, value);
    const otherChanges = changesOf(form, before, other);
    const errors = check(form, evaluate(form, other));
    if (startFault || countErrors(errors) > 0 || isEmpty(otherChanges)) return null;
    return requestOf(other, otherChanges);
  };

  const requestPrice = () =>
    run('price', async () => {
      const errors = checkAll();
      if (countErrors(errors) > 0) return showErrors(errors);
      if (!dirty) {
        showSnackbar(NOTHING_CHANGED);
        cards.setAll(true);
        return;
      }
      const priced = await savedWith(savedLookUps(form, answers, state), (lookups) =>
        confirmChange(uuid, fullProduct(answers, changes), day, lookups),
      );
      onPriced(priced);
    });

  /**
   * Handles the button "Save Changes". Requests the price if a change affects the price or starts
   * later. Saves other changes immediately. Sends nothing if the form has errors or is unchanged.
   */
  const save = async () => {
    const errors = checkAll();
    if (countErrors(errors) > 0) return showErrors(errors);
    if (priced || start.isLater || !dirty) await requestPrice();
    else await saveUnpriced(changes);
  };

  /** Checks a card and shows the card's errors. Returns true if the card has no errors. */
  const checkCard = (key: string): boolean => {
    const errors = filled.faultsOfCard(key);
    const first = errors && filled.openErrors(errors);
    // The field is near: the button belongs to its card.
    if (first) focusPathSoon(first);
    return errors === null;
  };

  /**
   * Handles the button "Continue" of a card. Closes a card without errors, and saves nothing.
   * Returns whether the card was closed.
   */
  const closeCard = (key: string): boolean => {
    if (!checkCard(key)) return false;
    cards.setOpen(key, false);
    return true;
  };

  /**
   * Handles the button "Confirm Details" of a card. Saves the changes of the card's dataset
   * immediately if they do not affect the price and start now.
   */
  const confirmCard = async (key: string) => {
    if (!checkCard(key)) return;
    const dataset = placeOf(`${key}.x`).dataset ?? key;
    const part = changesIn(form, changes, dataset);
    if (!start.isLater && !isEmpty(part) && !movesPrice(form, before, part))
      return saveUnpriced(part);
    cards.setOpen(key, false);
  };

  /** Reloads the page and keeps the typed answers. */
  const reload = () => {
    const { lookups } = answers;
    storeSaveResult(uuid, { success: false, errors: {}, message: null, changes, lookups, start });
    reloadPage();
  };

  return {
    api,
    cards,
    statements,
    busy,
    dirty,
    priced,
    priceRequest,
    priceRequestWith,
    /** The answers of the policy. */
    before,
    failure,
    /** The start of the change. `days` is null if there is no choice. */
    start: {
      wish: start,
      days,
      error: api.errors[DAY]?.[0],
      choose: (choice: StartChoice) => {
        setStart(choice);
        setFailure(null);
        dispatch({ type: 'forget', path: DAY });
      },
      leave: () => {
        const text = startFault;
        if (text)
          afterPointerUp(() => dispatch({ type: 'blurError', path: DAY, value: undefined, text }));
      },
    },
    /**
     * The result of the save before the reload: `all`, `part`, or null after no save or a failed
     * save.
     */
    saved: saveResult?.success ? (isEmpty(saveResult.changes) ? 'all' : 'part') : null,
    /** The message about a failed save before the reload, or null. */
    errorMessage: saveResult && !saveResult.success ? saveResult.message : null,
    listed: listErrors(checked, form, answers),
    save,
    seePrice: requestPrice,
    closeCard,
    confirmCard,
    reload,
  };
}

export type ChangeFormState = ReturnType<typeof useChange>;
