import type { QuoteRead } from '../../api/types';

/** The mail address that was typed into a quote, and with which its policy was bought. */
export function quoteEmail({ values }: Pick<QuoteRead, 'values'>): string | null {
  const typed = values.email_primary;
  return typeof typed === 'string' && typed !== '' ? typed : null;
}
