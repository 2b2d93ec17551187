import type { QuoteRead } from '../../api/types';

/** The mail address in a quote or a policy. */
export function quoteEmail({ values }: Pick<QuoteRead, 'values'>): string | null {
  const typed = values.email_primary;
  return typeof typed === 'string' && typed !== '' ? typed : null;
}
