import {
  addDays,
  compareDates,
  type PlainDate,
  parseFormDate,
  serverDate,
  todayInLondon,
} from '../../lib/dates/dates';
import { isPhoneNumber, PHONE_FAULT } from '../../lib/format/phone';
import { pathOf, placeOf } from '../answers/answers';
import { isMissing, type LookUp } from '../conditions/conditions';
import type { FieldStates, FormState } from '../conditions/visibility';
import { exampleDate } from '../fields/date/dates';
import { datasetOf, isSkipped } from '../steps/steps';
import type { Answers, Errors, Field, Form, Scalar, Step } from '../types';

// The server's check decides. This one finds errors without the server: a missing answer, an
// impossible day, a number out of bounds.

export interface DateWindow {
  from: PlainDate | null;
  to: PlainDate | null;
}

/**
 * Finds the answers that a field's limits refer to: in its own instance first, then in the form.
 */
export function lookUpAt(state: FormState, path: string): LookUp {
  const place = placeOf(path);
  const own =
    place.dataset === undefined ? undefined : state.multi[place.dataset]?.[place.index ?? 0];
  return (name) => (own && name in own ? own[name] : state.values[name]);
}

/** The allowed days of a date, as far as they are known. */
export function dateWindow(field: Field, lookUp: LookUp): DateWindow {
  const bound = (limit: { from: string; days: number } | undefined): PlainDate | null => {
    if (!limit) return null;
    const answer = lookUp(limit.from);
    const start =
      limit.from === 'today'
        ? todayInLondon()
        : parseFormDate(isMissing(answer) ? null : String(answer));
    return start && addDays(start, limit.days);
  };
  return { from: bound(field.validation.min_date), to: bound(field.validation.max_date) };
}

/** The text for a missing answer. The server has the same text unless the product has its own. */
function requiredText(field: Field): string {
  const label = `${field.label.charAt(0).toLowerCase()}${field.label.slice(1)}`;
  if (field.kind === 'checkbox') return `Tick the box: ${label}`;
  if (field.kind === 'yes_no' || field.options.length > 0) return `Choose an answer: ${label}`;
  return `Enter ${label}`;
}

function dateFault(field: Field, value: Scalar, lookUp: LookUp): string | null {
  const date = parseFormDate(String(value));
  if (!date) return `Enter a real date, such as ${exampleDate()}`;
  const { from, to } = dateWindow(field, lookUp);
  if (from && compareDates(date, from) < 0) return `Enter a date from ${serverDate(from)} on`;
  if (to && compareDates(date, to) > 0) return `Enter a date up to ${serverDate(to)}`;
  return null;
}

function numberFault(field: Field, value: Scalar): string | null {
  const { min, max } = field.validation;
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'Enter a number';
  if (min !== undefined && value < min) return `Enter ${min} or more`;
  if (max !== undefined && value > max) return `Enter ${max} or less`;
  return null;
}

/**
 * Invisible characters, as the server defines them: control and annotation marks, and Unicode's
 * Default_Ignorable_Code_Point. An address may contain line breaks.
 */
const HIDDEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

function hasHidden(field: Field, text: string): boolean {
  if (field.kind === 'address') return text.split(/\r?\n/).some((line) => HIDDEN.test(line));
  return field.kind === 'text' && HIDDEN.test(text);
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
  if (field.kind === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(value).trim())) {
    return 'Enter an email address such as name@example.com';
  }
  if (field.kind === 'phone' && !isPhoneNumber(String(value))) return PHONE_FAULT;
  return null;
}

/** The format error of an answer; null for a missing answer. */
export function formatFault(
  field: Field,
  value: Scalar | undefined,
  lookUp: LookUp,
): string | null {
  if (isMissing(value)) return null;
  if (field.kind === 'date') return dateFault(field, value, lookUp);
  if (field.kind === 'number') return numberFault(field, value);
  if (field.options.length > 0 || typeof value !== 'string') return null;
  return textFault(field, value);
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

/** The errors that the browser can find, in the whole form or in one step. */
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

/** The errors of one card; `key` comes from `cardKey`. */
export function checkCard(form: Form, state: FormState, key: string): Errors {
  return Object.fromEntries(
    Object.entries(check(form, state)).filter(([path]) =>
      key.includes('.') ? path.startsWith(`${key}.`) : datasetOf(path, form) === key,
    ),
  );
}

/** The paths of answers with a wrong format, such as half a date or a number out of bounds. */
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
