import { createSignal } from '../signal';

/** The formats of a date, the shop's own first. */
export const DATE_FORMATS = [
  'dd/MM/yyyy',
  'dd.MM.yyyy',
  'dd MMM yyyy',
  'MM/dd/yyyy',
  'yyyy-MM-dd',
] as const;

export type DateFormat = (typeof DATE_FORMATS)[number];

export interface DateStyle {
  format: DateFormat;
  /** The locale of a day in words. */
  locale: string;
}

/** The shop's format, until the person has chosen. */
export const SHOP_DATES: DateStyle = { format: 'dd/MM/yyyy', locale: 'en-GB' };

/** The date format of the person logged in, or the shop's. */
export const dateStyle = createSignal<DateStyle>(SHOP_DATES);

export function isDateFormat(text: string): text is DateFormat {
  return (DATE_FORMATS as readonly string[]).includes(text);
}

/** Returns the first part of a date in the current format. */
export function firstPart(): 'day' | 'month' | 'year' {
  const { format } = dateStyle.get();
  if (format.startsWith('MM')) return 'month';
  return format.startsWith('yyyy') ? 'year' : 'day';
}

/** Changes the current format. */
export function showDates(style: DateStyle): void {
  const now = dateStyle.get();
  if (now.format !== style.format || now.locale !== style.locale) dateStyle.set(style);
}
