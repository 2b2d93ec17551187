import { createSignal } from '../signal';

/** The ways to write a day in figures, the shop's own first. */
export const DATE_FORMATS = [
  'dd/MM/yyyy',
  'dd.MM.yyyy',
  'dd MMM yyyy',
  'MM/dd/yyyy',
  'yyyy-MM-dd',
] as const;

export type DateFormat = (typeof DATE_FORMATS)[number];

/** How days are shown. */
export interface DateStyle {
  format: DateFormat;
  /** Whose words and order a day in words has. */
  locale: string;
}

/** How the shop shows days to whoever has not chosen. */
export const SHOP_DATES: DateStyle = { format: 'dd/MM/yyyy', locale: 'en-GB' };

/** How days are shown now, to the person logged in. Everything that shows a day reads it. */
export const dateStyle = createSignal<DateStyle>(SHOP_DATES);

export function isDateFormat(text: string): text is DateFormat {
  return (DATE_FORMATS as readonly string[]).includes(text);
}

/** What comes first in a day that is typed in figures. */
export function firstPart(): 'day' | 'month' | 'year' {
  const { format } = dateStyle.get();
  if (format.startsWith('MM')) return 'month';
  return format.startsWith('yyyy') ? 'year' : 'day';
}

/** Shows days like this from now on. */
export function showDates(style: DateStyle): void {
  const now = dateStyle.get();
  if (now.format !== style.format || now.locale !== style.locale) dateStyle.set(style);
}
