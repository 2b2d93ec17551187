import { useProduct, useSite } from '../../api/hooks';
import type { CoverHelp } from '../../api/types';

const USUAL: Pick<CoverHelp, 'title' | 'text'> = {
  title: 'Need to claim?',
  text: 'Call us and tell us what has happened.',
};

/** What to do when the cover is needed, and whom to call. */
export interface Help {
  title: string;
  text: string;
  event: string | undefined;
  phone: string;
  /** When the number is answered, where it isn't at any hour. */
  hours: string | null;
}

/**
 * A product's own words, or the usual ones where it has none. Where it can't be known, the number
 * that is answered at any hour is the one to give. Undefined until that is settled.
 */
export function useCoverHelp(identifier: string | null, failed = false): Help | undefined {
  const { data: site } = useSite();
  const { data: product, error } = useProduct(identifier);
  if (!site || (!product && !error && !failed)) return undefined;
  const { title, text, event, assistance, phone } = product?.info.help ?? {
    ...USUAL,
    assistance: !product,
  };
  const own = phone ?? (assistance ? site.assistance_phone : null);
  return { title, text, event, phone: own ?? site.phone, hours: own ? null : site.hours };
}
