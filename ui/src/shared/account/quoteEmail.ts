import type { QuoteRead } from '../../api/types';

/** Returns the customer's mail address in a quote or policy, or null if the quote has none. */
export function quoteEmail({ values }: Pick<QuoteRead, 'values'>): string | null {
  const email = values.email_primary;
  return typeof email === 'string' && email !== '' ? email : null;
}
