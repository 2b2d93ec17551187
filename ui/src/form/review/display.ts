import { isMissing } from '../conditions/conditions';
import { kindOf } from '../kinds';
import type { Field, Option, Scalar } from '../types';

const YES_NO: Option[] = [
  { value: 1, label: 'Yes', text: 'Yes' },
  { value: 2, label: 'No', text: 'No' },
];

/** Returns the options of a question. A yes/no question without options gets Yes and No. */
export function choicesOf(field: Field, offered: Option[] = field.options): Option[] {
  if (field.kind === 'yes_no' && field.options.length === 0) return YES_NO;
  return offered;
}

function chosen(field: Field, value: Scalar): Option | undefined {
  return choicesOf(field).find((option) => option.value === value);
}

function plain(field: Field, value: Scalar): string {
  const text = String(value);
  return kindOf(field).format?.(text) ?? text;
}

/**
 * Returns an answer for the summary: the chosen option's `text`, or the formatted value. Returns an
 * empty text for a missing answer.
 */
export function displayValue(field: Field, value: Scalar): string {
  if (isMissing(value)) return '';
  return chosen(field, value)?.text ?? plain(field, value);
}

/**
 * Returns an answer to show under its question: the chosen option's label, or the formatted value.
 * Returns an empty text for a missing answer.
 */
export function answerText(field: Field, value: Scalar | undefined): string {
  if (isMissing(value)) return '';
  return chosen(field, value)?.label ?? plain(field, value);
}

const OPTIONAL = /\s*\(optional\)\s*$/i;

/** Checks whether the product's label ends with "(optional)". */
export function saysOptional(field: Field): boolean {
  return OPTIONAL.test(field.label);
}

/** Returns the short name of the answer, or the label without "(optional)". */
export function plainLabel(field: Field): string {
  return (field.noun ?? field.label).replace(OPTIONAL, '');
}
