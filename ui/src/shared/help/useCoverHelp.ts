import { useProduct, useSite } from '../../api/hooks';
import type { CoverHelp } from '../../api/types';

const DEFAULT_HELP: Pick<CoverHelp, 'title' | 'text'> = {
  title: 'Need to claim?',
  text: 'Call us and tell us what has happened.',
};

/** The help text for a claim, and the number to call. */
export interface Help {
  title: string;
  text: string;
  event: string | undefined;
  phone: string;
  /** The opening hours; null if the number is answered at any hour. */
  hours: string | null;
}

/**
 * Returns the product's help text and number. A product without a help text gets the default text
 * and the shop's number. If the product can't be read, returns the assistance number. Returns
 * undefined until the settings are read, and until the product is read or fails. `failed` ends the
 * wait for the product.
 */
export function useCoverHelp(identifier: string | null, failed = false): Help | undefined {
  const { data: site } = useSite();
  const { data: product, error } = useProduct(identifier);
  if (!site || (!product && !error && !failed)) return undefined;
  const { title, text, event, assistance, phone } = product?.info.help ?? {
    ...DEFAULT_HELP,
    assistance: !product,
  };
  const helpPhone = phone ?? (assistance ? site.assistance_phone : null);
  return {
    title,
    text,
    event,
    phone: helpPhone ?? site.phone,
    hours: helpPhone ? null : site.hours,
  };
}
