import type { QuoteRead } from '../../api/types';

/** Returns the mail address in a quote or a policy. */
export function quoteEmail({ values }: Pick<QuoteRead, 'values'>): string | null {
  const email = values.email_primary;
  return typeof email === 'string' && email !== '' ? email : null;
}
