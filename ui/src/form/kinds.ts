import type { HTMLAttributes } from 'react';
import { compareDates, formatDate, parseFormDate, serverDate } from '../lib/dates/dates';
import { formatPhone, isPhoneNumber, PHONE_FAULT } from '../lib/format/phone';
import { formatPostcode, formatRegistration } from '../lib/format/uk';
import type { LookUp } from './conditions/conditions';
import { exampleDate } from './fields/date/dates';
import type { Field, Scalar } from './types';
import { dateWindow } from './validation/dateWindow';

// The properties of each kind of field. The control of each kind is in fields/FieldInput.tsx.

/** The attributes of a text input. */
export interface InputSettings {
  type?: 'email' | 'tel';
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  autoComplete?: string;
  autoCapitalize?: string;
  spellCheck?: boolean;
  maxWidth?: string;
}

interface Kind {
  input?: InputSettings;
  /**
   * Whether the text is a code such as a postcode. A code is in upper case, and is formatted when
   * the visitor leaves the field.
   */
  isCode?: true;
  /** Returns the answer from the typed text. */
  parse?: (text: string) => Scalar;
  /** Returns the text of an answer as the website shows it. */
  format?: (text: string) => string;
  /**
   * Returns the format error of an answer. A text has already passed the checks of its length and
   * of invisible characters.
   */
  fault?: (value: Scalar, field: Field, lookUp: LookUp) => string | null;
  /** Returns the texts in which invisible characters are an error. */
  checkedTexts?: (text: string) => string[];
  /** The request for a missing answer. */
  ask?: 'Tick the box' | 'Choose an answer';
  /** The line of the review that shows an answer of this kind without its question. */
  line?: 'what' | 'reached';
}

/** Reads a number, which may have a pound sign, spaces and commas between thousands. */
function parseNumber(text: string): Scalar {
  const plain = text.replace(/[£\s]|,(?=\d{3}(?!\d))/g, '');
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text;
}

function numberFault(value: Scalar, field: Field): string | null {
  const { min, max } = field.validation;
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'Enter a number';
  if (min !== undefined && value < min) return `Enter ${min} or more`;
  if (max !== undefined && value > max) return `Enter ${max} or less`;
  return null;
}

function dateFault(value: Scalar, field: Field, lookUp: LookUp): string | null {
  const date = parseFormDate(String(value));
  if (!date) return `Enter a real date, such as ${exampleDate()}`;
  const { from, to } = dateWindow(field, lookUp);
  if (from && compareDates(date, from) < 0) return `Enter a date from ${serverDate(from)} on`;
  if (to && compareDates(date, to) > 0) return `Enter a date up to ${serverDate(to)}`;
  return null;
}

function formatFormDate(text: string): string {
  const date = parseFormDate(text);
  return date ? formatDate(date) : text;
}

const CHOICE: Kind = { line: 'what' };

const POSTCODE: Kind = {
  input: {
    autoComplete: 'postal-code',
    autoCapitalize: 'characters',
    spellCheck: false,
    maxWidth: '12rem',
  },
  isCode: true,
  format: formatPostcode,
};

const PLATE: Kind = {
  input: {
    autoComplete: 'off',
    autoCapitalize: 'characters',
    spellCheck: false,
    maxWidth: '14rem',
  },
  isCode: true,
  format: formatRegistration,
  line: 'what',
};

const KINDS: Record<Field['kind'], Kind> = {
  cards: CHOICE,
  radio: CHOICE,
  select: CHOICE,
  yes_no: { ask: 'Choose an answer' },
  checkbox: { ask: 'Tick the box', format: (text) => (text === 'true' ? 'Yes' : 'No') },
  text: { checkedTexts: (text) => [text] },
  address: { checkedTexts: (text) => text.split(/\r?\n/) },
  email: {
    input: { type: 'email', autoComplete: 'email', autoCapitalize: 'off', spellCheck: false },
    fault: (value) =>
      /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(value).trim())
        ? null
        : 'Enter an email address such as name@example.com',
    line: 'reached',
  },
  phone: {
    input: { type: 'tel', autoComplete: 'tel', spellCheck: false },
    format: formatPhone,
    fault: (value) => (isPhoneNumber(String(value)) ? null : PHONE_FAULT),
    line: 'reached',
  },
  postcode: POSTCODE,
  address_lookup: POSTCODE,
  registration: PLATE,
  vehicle_lookup: PLATE,
  number: {
    input: { inputMode: 'numeric', autoComplete: 'off', maxWidth: '12rem' },
    parse: parseNumber,
    fault: numberFault,
  },
  date: { format: formatFormDate, fault: dateFault },
};

export function kindOf(field: Field): Kind {
  return KINDS[field.kind];
}

/** Checks whether the field's answer is a registration. */
export function isPlate(field: Field): boolean {
  return kindOf(field) === PLATE;
}
