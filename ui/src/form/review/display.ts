import { formatDate, parseFormDate } from '../../lib/dates/dates';
import { formatPhone } from '../../lib/format/phone';
import { formatPostcode, formatRegistration } from '../../lib/format/uk';
import { isMissing } from '../conditions/conditions';
import type { Field, Option, Scalar } from '../types';

const YES_NO: Option[] = [
  { value: 1, label: 'Yes', text: 'Yes' },
  { value: 2, label: 'No', text: 'No' },
];

/** The options of a yes/no question, which the product's data does not list. */
export function choicesOf(field: Field, offered: Option[] = field.options): Option[] {
  if (field.kind === 'yes_no' && field.options.length === 0) return YES_NO;
  return offered;
}

function chosen(field: Field, value: Scalar): Option | undefined {
  return choicesOf(field).find((option) => option.value === value);
}

/** Whether the answer is a registration. */
export function isPlate(field: Field): boolean {
  return field.kind === 'registration' || field.kind === 'vehicle_lookup';
}

/** Whether the answer is a postcode. */
export function isPostcode(field: Field): boolean {
  return field.kind === 'postcode' || field.kind === 'address_lookup';
}

function plain(field: Field, value: Scalar): string {
  if (field.kind === 'phone') return formatPhone(String(value));
  if (isPlate(field)) return formatRegistration(String(value));
  if (isPostcode(field)) return formatPostcode(String(value));
  if (field.kind === 'checkbox') return value === true ? 'Yes' : 'No';
  if (field.kind === 'date') {
    const date = parseFormDate(String(value));
    return date ? formatDate(date) : String(value);
  }
  return String(value);
}

/** An answer in the summary: the chosen option's `text`, or the value. */
export function displayValue(field: Field, value: Scalar): string {
  if (isMissing(value)) return '';
  return chosen(field, value)?.text ?? plain(field, value);
}

/** An answer under its question: the option's label, or the value. */
export function answerText(field: Field, value: Scalar | undefined): string {
  if (isMissing(value)) return '';
  return chosen(field, value)?.label ?? plain(field, value);
}

const OPTIONAL = /\s*\(optional\)\s*$/i;

/** Whether the product's label contains "(optional)". */
export function saysOptional(field: Field): boolean {
  return OPTIONAL.test(field.label);
}

/** The label without "(optional)". */
export function plainLabel(field: Field): string {
  return field.label.replace(OPTIONAL, '');
}
