import {
  addInstance,
  movedAll,
  movedPath,
  readAnswer,
  removeInstance,
  writeAnswer,
} from '../answers/answers';
import { type Prefilled, prefill, withoutPrefilled } from '../answers/restoreAnswers';
import { errorsOn } from '../steps/steps';
import type {
  Answers,
  Dataset,
  Errors,
  Form,
  Home,
  Scalar,
  Step,
  Values,
  VehicleLookUp,
} from '../types';

/** The state of a form. The current step is not here, but in the page's address. */
export interface FilledForm {
  answers: Answers;
  /** Errors that a check or the server found. */
  errors: Errors;
  /** Errors found when the visitor left a field. The error summary does not show these errors. */
  blurErrors: Errors;
  /** Paths at which the server refused a save. Some may be on other steps. */
  refused: string[];
  /** Answers from the profile of the person who was logged in. */
  prefilled: Prefilled | null;
  /** Whether the answers may differ from those on the server. */
  changed: boolean;
}

export type FormAction =
  | { type: 'change'; path: string; value: Scalar }
  /** The result of a registration's look-up, or the visitor's answer to it. */
  | { type: 'setLookup'; path: string; lookUp: VehicleLookUp }
  /** The position of the chosen address. Without `home`, the stored position is removed. */
  | { type: 'setHome'; home?: Home }
  /** `row` is the new instance's identity. */
  | { type: 'add'; dataset: Dataset; row: string }
  /** If `row` is given, a blank instance of that identity replaces the removed one. */
  | { type: 'remove'; dataset: Dataset; index: number; row?: string }
  | { type: 'blurError'; path: string; value: Scalar | undefined; text: string }
  | { type: 'addErrors'; errors: Errors }
  /** Removes the errors at a path. */
  | { type: 'forget'; path: string }
  | { type: 'checked'; steps: Step[]; errors: Errors; form: Form; seen: Answers }
  | { type: 'refused'; errors: Errors }
  | { type: 'saved'; seen: Answers }
  /**
   * Sets the answers after start dates got today's defaults. `changed` means that the server has
   * other dates.
   */
  | { type: 'applyDefaults'; answers: Answers; changed: boolean }
  /**
   * Fills empty fields from the person's profile. If the person has changed, also removes the
   * unchanged answers from the earlier person's profile.
   */
  | { type: 'prefill'; form: Form; person: { user: string | null; answers: Values } | null };

function withoutError(errors: Errors, path: string): Errors {
  if (!(path in errors)) return errors;
  const { [path]: _, ...remaining } = errors;
  return remaining;
}

/** Returns the errors of answers that have not changed since `seen`, at their present paths. */
function currentErrors(errors: Errors, seen: Answers, now: Answers): Errors {
  const same = Object.entries(errors).filter(([path]) => {
    const newPath = movedPath(path, seen, now);
    return newPath !== null && readAnswer(seen, path) === readAnswer(now, newPath);
  });
  return movedAll(Object.fromEntries(same), seen, now);
}

export function formReducer(state: FilledForm, action: FormAction): FilledForm {
  switch (action.type) {
    case 'change': {
      if (readAnswer(state.answers, action.path) === action.value) return state;
      return {
        answers: writeAnswer(state.answers, action.path, action.value),
        errors: withoutError(state.errors, action.path),
        blurErrors: withoutError(state.blurErrors, action.path),
        refused: state.refused,
        prefilled: state.prefilled,
        changed: true,
      };
    }
    case 'setHome':
      return { ...state, answers: { ...state.answers, home: action.home } };
    case 'setLookup': {
      const lookups = { ...state.answers.lookups, [action.path]: action.lookUp };
      return { ...state, answers: { ...state.answers, lookups } };
    }
    case 'add':
      return {
        ...state,
        answers: addInstance(state.answers, action.dataset, action.row),
        errors: withoutError(state.errors, action.dataset.identifier),
        changed: true,
      };
    case 'remove': {
      const { answers: before } = state;
      const answers = removeInstance(before, action.dataset, action.index, action.row);
      return {
        answers,
        errors: movedAll(state.errors, before, answers),
        blurErrors: movedAll(state.blurErrors, before, answers),
        refused: state.refused.flatMap((path) => movedPath(path, before, answers) ?? []),
        prefilled: state.prefilled,
        changed: true,
      };
    }
    case 'blurError':
      // The error is reported after the click that left the field. That click may have changed the
      // answer.
      if (readAnswer(state.answers, action.path) !== action.value) return state;
      return { ...state, blurErrors: { ...state.blurErrors, [action.path]: [action.text] } };
    case 'addErrors':
      return { ...state, errors: { ...state.errors, ...action.errors } };
    case 'forget':
      return {
        ...state,
        errors: withoutError(state.errors, action.path),
        blurErrors: withoutError(state.blurErrors, action.path),
      };
    case 'checked': {
      const withoutChecked = (errors: Errors) => {
        const remaining = { ...errors };
        for (const step of action.steps) {
          for (const path of Object.keys(errorsOn(step, remaining, action.form)))
            delete remaining[path];
        }
        return remaining;
      };
      const errors = currentErrors(action.errors, action.seen, state.answers);
      return {
        ...state,
        errors: { ...withoutChecked(state.errors), ...errors },
        blurErrors: withoutChecked(state.blurErrors),
      };
    }
    case 'refused':
      return {
        ...state,
        errors: action.errors,
        blurErrors: {},
        refused: Object.keys(action.errors),
      };
    case 'saved':
      return {
        ...state,
        errors: {},
        blurErrors: {},
        refused: [],
        changed: state.answers !== action.seen,
      };
    case 'applyDefaults':
      return {
        ...state,
        answers: action.answers,
        errors: currentErrors(state.errors, state.answers, action.answers),
        blurErrors: currentErrors(state.blurErrors, state.answers, action.answers),
        changed: state.changed || action.changed,
      };
    case 'prefill': {
      const { form, person } = action;
      const isSameUser = state.prefilled?.user === person?.user;
      const before = isSameUser ? (state.prefilled?.values ?? {}) : {};
      const answers =
        state.prefilled && !isSameUser
          ? withoutPrefilled(state.answers, state.prefilled.values)
          : state.answers;
      if (!person) return { ...state, answers, prefilled: null };
      const values = prefill(form, answers, person.answers);
      return {
        ...state,
        answers: { ...answers, values: { ...answers.values, ...values } },
        prefilled: { user: person.user, values: { ...before, ...values } },
      };
    }
  }
}
