import { pathOf, placeOf } from '../answers/answers';
import { isMissing, type LookUp } from '../conditions/conditions';
import type { FieldStates, FormState } from '../conditions/visibility';
import { kindOf } from '../kinds';
import { datasetOf, isSkipped } from '../steps/steps';
import type { Answers, Errors, Field, Form, Scalar, Step } from '../types';

// The server's check decides. This check finds some errors without the server: a missing answer, an
// impossible day, a number out of bounds.

/**
 * Returns the function that reads the answers to which the limits of the field at a path refer. An
 * answer of the field's own instance comes before an answer of the form.
 */
export function lookUpAt(state: FormState, path: string): LookUp {
  const place = placeOf(path);
  const own =
    place.dataset === undefined ? undefined : state.multi[place.dataset]?.[place.index ?? 0];
  return (name) => (own && name in own ? own[name] : state.values[name]);
}

/**
 * Returns the text for a missing answer. The server has the same text, unless the product defines
 * another text.
 */
function requiredText(field: Field): string {
  const label = `${field.label.charAt(0).toLowerCase()}${field.label.slice(1)}`;
  const ask = kindOf(field).ask ?? (field.options.length > 0 ? 'Choose an answer' : null);
  return ask ? `${ask}: ${label}` : `Enter ${label}`;
}

/**
 * Invisible characters, as the server defines them: control and annotation marks, and Unicode's
 * Default_Ignorable_Code_Point. An address may contain line breaks.
 */
const HIDDEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

function hasHidden(field: Field, text: string): boolean {
  const texts = kindOf(field).checkedTexts?.(text) ?? [];
  return texts.some((each) => HIDDEN.test(each));
}

function textFault(field: Field, value: Scalar): string | null {
  if (hasHidden(field, String(value).trim())) {
    return "Remove the characters that can't be seen; typing it again helps";
  }
  const length = [...String(value).trim()].length;
  const { min_length, max_length } = field.validation;
  if (min_length !== undefined && length < min_length)
    return `Use at least ${min_length} characters`;
  if (max_length !== undefined && length > max_length)
    return `Use at most ${max_length} characters`;
  return null;
}

/**
 * Returns the format error of an answer. Returns null for a missing or valid answer, and for a
 * field with options.
 */
export function formatFault(
  field: Field,
  value: Scalar | undefined,
  lookUp: LookUp,
): string | null {
  if (isMissing(value)) return null;
  if (field.options.length > 0) return null;
  const fault = typeof value === 'string' ? textFault(field, value) : null;
  return fault ?? kindOf(field).fault?.(value, field, lookUp) ?? null;
}

function fault(
  field: Field,
  value: Scalar | undefined,
  required: boolean,
  lookUp: LookUp,
): string | null {
  const blank = isMissing(value) || (typeof value === 'string' && value.trim() === '');
  const unticked = field.kind === 'checkbox' && value !== true;
  if (required && (blank || unticked)) return requiredText(field);
  return blank ? null : formatFault(field, value, lookUp);
}

/**
 * Returns the errors that the browser can find in the whole form or in one step. Leaves out hidden
 * and locked fields, and the fields that the step skips.
 */
export function check(form: Form, state: FormState, step?: Step): Errors {
  const errors: Errors = {};
  const each = (
    fields: Field[],
    states: FieldStates,
    values: Answers['values'],
    place?: { dataset: string; index: number },
  ) => {
    for (const field of fields) {
      const path = pathOf({ ...place, field: field.name });
      // The visitor can't correct a locked field.
      const shown = states[field.name];
      if (!shown?.visible || field.locked || (step && isSkipped(path, step))) continue;
      const text = fault(field, values[field.name], shown.required, lookUpAt(state, path));
      if (text) errors[path] = [text];
    }
  };

  for (const dataset of form.datasets) {
    const shown = state.datasets[dataset.identifier];
    if (!shown?.visible || (step && !step.datasets.includes(dataset.identifier))) continue;
    if (dataset.multi) {
      shown.instances.forEach((states, index) => {
        each(dataset.fields, states, state.multi[dataset.identifier]?.[index] ?? {}, {
          dataset: dataset.identifier,
          index,
        });
      });
    } else {
      each(dataset.fields, shown.fields, state.values);
    }
  }
  return errors;
}

/** Returns the errors of one card; `key` comes from `cardKey`. */
export function checkCard(form: Form, state: FormState, key: string): Errors {
  return Object.fromEntries(
    Object.entries(check(form, state)).filter(([path]) =>
      key.includes('.') ? path.startsWith(`${key}.`) : datasetOf(path, form) === key,
    ),
  );
}

/**
 * Returns the paths of answers with a wrong format, such as half a date or a number out of bounds.
 */
export function faultyPaths(form: Form, state: FormState): Set<string> {
  const faulty = new Set<string>();
  const each = (
    fields: Field[],
    values: Answers['values'],
    place?: { dataset: string; index: number },
  ) => {
    for (const field of fields) {
      const path = pathOf({ ...place, field: field.name });
      if (formatFault(field, values[field.name], lookUpAt(state, path))) faulty.add(path);
    }
  };
  for (const dataset of form.datasets) {
    if (!dataset.multi) each(dataset.fields, state.values);
    else {
      state.multi[dataset.identifier]?.forEach((values, index) => {
        each(dataset.fields, values, { dataset: dataset.identifier, index });
      });
    }
  }
  return faulty;
}
