import { formatDate, parseFormDate } from '../lib/dates';
import { dialled } from '../lib/phone';
import { isMissing } from './conditions';
import type { Field, Option, Scalar } from './types';

const YES_NO: Option[] = [
  { value: 1, label: 'Yes', text: 'Yes' },
  { value: 2, label: 'No', text: 'No' },
];

/** A yes/no question needs no options in the product's data. */
export function choicesOf(field: Field, offered: Option[] = field.options): Option[] {
  if (field.kind === 'yes_no' && field.options.length === 0) return YES_NO;
  return offered;
}

function chosen(field: Field, value: Scalar): Option | undefined {
  return choicesOf(field).find((option) => option.value === value);
}

function plain(field: Field, value: Scalar): string {
  if (field.kind === 'phone') return dialled(String(value));
  if (field.kind === 'checkbox') return value === true ? 'Yes' : 'No';
  if (field.kind === 'date') {
    const date = parseFormDate(String(value));
    return date ? formatDate(date) : String(value);
  }
  return String(value);
}

/** What the summary says: the chosen option's `text`, or the value. */
export function displayValue(field: Field, value: Scalar): string {
  if (isMissing(value)) return '';
  return chosen(field, value)?.text ?? plain(field, value);
}

/** What an answer reads like under its own question: the option's label, or the value. */
export function answerText(field: Field, value: Scalar | undefined): string {
  if (isMissing(value)) return '';
  return chosen(field, value)?.label ?? plain(field, value);
}

const OPTIONAL = /\s*\(optional\)\s*$/i;

/** Whether the label itself says that the answer may be left out. */
export function saysOptional(field: Field): boolean {
  return OPTIONAL.test(field.label);
}

/** The label beside an answer: there it no longer matters that it could be left out. */
export function plainLabel(field: Field): string {
  return field.label.replace(OPTIONAL, '');
}
