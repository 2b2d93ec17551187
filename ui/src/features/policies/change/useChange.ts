import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { ApiError } from '../../../api/client';
import type { Adjustment, PolicyRead, PolicyTerm } from '../../../api/life';
import { confirmChange, keepPrice } from '../../../api/policy';
import { fieldAt, placeOf, readAnswer } from '../../../form/answers';
import { filledUp } from '../../../form/beginning';
import { listErrors, visibleErrors } from '../../../form/errors';
import type { FormApi } from '../../../form/FormContext';
import { focusPathSoon } from '../../../form/focus';
import { journeyReducer } from '../../../form/journey';
import { answersFrom } from '../../../form/serialize';
import { countErrors } from '../../../form/steps';
import type { Errors, Product } from '../../../form/types';
import { useOpenCards } from '../../../form/useOpenCards';
import { check, checkCard, formatFault, lookUpAt } from '../../../form/validate';
import { evaluate } from '../../../form/visibility';
import { useKeptFocus } from '../../../lib/keepFocus';
import { afterClick } from '../../../lib/pointer';
import { reloadPage } from '../../../lib/reload';
import { showSnackbar } from '../../../lib/snackbar';
import { changeForm } from './changeForm';
import {
  apply,
  asProduct,
  type Changes,
  changesIn,
  changesOf,
  isEmpty,
  movesPrice,
  without,
} from './changes';
import { forgetOutcome, keepOutcome, readOutcome } from './outcome';
import { refusalText } from './refusal';

export const SAVED = 'Your details are saved.';
const NOT_SAVED = 'Error. Please correct the form and try again.';
const NOTHING_CHANGED = 'Nothing is different yet. Change what you need first.';

export type Busy = 'save' | 'price' | null;

interface Given {
  product: Product;
  read: PolicyRead;
  policy: PolicyTerm;
  onPriced: (adjustment: Adjustment) => void;
}

/** A policy's answers while they are being changed, and what is done with the changes. */
export function useChange({ product, read, policy, onPriced }: Given) {
  const { uuid } = read.info;
  const [{ form, statements }] = useState(() => changeForm(product.form, read, policy));
  const [outcome] = useState(() => readOutcome(uuid));
  const [before] = useState(() => filledUp(form, answersFrom(read.values, read.multi)));
  const [{ answers, errors: allChecked, slips }, dispatch] = useReducer(journeyReducer, {
    answers: outcome ? apply(before, outcome.changes) : before,
    errors: outcome?.errors ?? {},
    slips: {},
    refused: [],
    prefilled: null,
    changed: false,
  });
  const [busy, setBusy] = useState<Busy>(null);
  const keepFocus = useKeptFocus(busy !== null);
  const [failure, setFailure] = useState<unknown>(null);
  const running = useRef(false);
  const cards = useOpenCards(false);
  const state = useMemo(() => evaluate(form, answers), [form, answers]);
  const checked = useMemo(() => visibleErrors(allChecked, form, state), [allChecked, form, state]);
  const errors = useMemo(
    () => ({ ...visibleErrors(slips, form, state), ...checked }),
    [slips, checked, form, state],
  );
  const changes = useMemo(() => changesOf(form, before, answers), [form, before, answers]);
  const dirty = !isEmpty(changes);
  const priced = movesPrice(form, before, changes);

  /** Opens the cards of what is wrong, and brings the first of it into view. */
  const reveal = (found: Errors) => {
    cards.openFor(found, form);
    const [first] = listErrors(found, form, answers);
    if (first) focusPathSoon(first.path);
  };

  // What the last partial change came to is told once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only arriving tells it
  useEffect(() => {
    if (!outcome) return;
    forgetOutcome(uuid);
    if (outcome.success) showSnackbar(SAVED);
    else reveal(outcome.errors);
  }, []);

  const point = (found: Errors) => {
    dispatch({ type: 'found', errors: found });
    reveal(found);
  };

  const run = async (kind: Exclude<Busy, null>, work: () => Promise<void>) => {
    if (running.current) return;
    running.current = true;
    keepFocus();
    setBusy(kind);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error);
      const seen = visibleErrors(error.errors, form, state);
      dispatch({ type: 'refused', errors: error.errors });
      reveal(seen);
    } finally {
      running.current = false;
      setBusy(null);
    }
  };

  /** Saves what must not move the price; the page begins anew after it, whatever came of it. */
  const savePart = (part: Changes) =>
    run('save', async () => {
      const left = without(changes, part);
      const failed = { success: false, changes };
      try {
        const kept = await keepPrice(uuid, asProduct(form, part));
        keepOutcome(
          uuid,
          kept.success === 1
            ? { success: true, errors: {}, message: null, changes: left }
            : { ...failed, errors: kept.errors, message: NOT_SAVED },
        );
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        keepOutcome(uuid, { ...failed, errors: error.errors, message: refusalText(error) });
      }
      reloadPage();
    });

  const seePrice = () =>
    run('price', async () => {
      const found = visibleErrors(check(form, state), form, state);
      if (countErrors(found) > 0) return point(found);
      if (!dirty) {
        showSnackbar(NOTHING_CHANGED);
        cards.setAll(true);
        return;
      }
      const everything = changesOf(form, { values: {}, multi: {} }, answers);
      const wish = {
        values: { ...everything.values, ...changes.values },
        multi: { ...everything.multi, ...changes.multi },
      };
      const priceOf = asProduct(form, wish);
      onPriced(await confirmChange(uuid, priceOf));
    });

  /** "Save Changes": a new price is shown before it is agreed to; what has none is simply saved. */
  const save = async () => {
    const found = visibleErrors(check(form, state), form, state);
    if (countErrors(found) > 0) return point(found);
    if (priced) await seePrice();
    else await savePart(changes);
  };

  /** "Confirm Details" of one card. */
  const confirmCard = async (key: string) => {
    const found = visibleErrors(checkCard(form, state, key), form, state);
    if (countErrors(found) > 0) return point(found);
    const dataset = placeOf(`${key}.x`).dataset ?? key;
    const part = changesIn(form, changes, dataset);
    if (!isEmpty(part) && !movesPrice(form, before, part)) return savePart(part);
    cards.setOpen(key, false);
  };

  /** Reads the policy as it stands now, with what was typed on top of it. */
  const reload = () => {
    keepOutcome(uuid, { success: false, errors: {}, message: null, changes });
    reloadPage();
  };

  const find = (identifier: string) => form.datasets.find((each) => each.identifier === identifier);
  const api: FormApi = {
    form,
    answers,
    state,
    errors,
    derived: {},
    change: (path, value) => dispatch({ type: 'change', path, value }),
    leave: (path) => {
      const field = fieldAt(form, path);
      const value = readAnswer(answers, path);
      const text = field && formatFault(field, value, lookUpAt(state, path));
      if (text) afterClick(() => dispatch({ type: 'slip', path, value, text }));
    },
    add: (identifier) => {
      const dataset = find(identifier);
      if (dataset) dispatch({ type: 'add', dataset });
    },
    remove: (identifier, index) => {
      const dataset = find(identifier);
      if (dataset) dispatch({ type: 'remove', dataset, index });
    },
  };

  return {
    api,
    cards,
    statements,
    busy,
    dirty,
    priced,
    failure,
    /** What the server said of the change that was saved before the page began anew. */
    told: outcome && !outcome.success ? outcome.message : null,
    listed: listErrors(checked, form, answers),
    save,
    seePrice,
    confirmCard,
    reload,
  };
}

export type Change = ReturnType<typeof useChange>;
