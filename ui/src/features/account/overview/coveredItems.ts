import type { Product, QuoteRead } from '../../../api/types';
import { isPlate } from '../../../form/kinds';
import { displayValue } from '../../../form/review/display';

export interface CoveredItems {
  /** The title of the items, such as "Vehicles". */
  title: string;
  /** Whether the texts are vehicle registrations. */
  plates: boolean;
  items: { key: string; text: string }[];
}

/**
 * Matches a summary rule that consists of one answer of each instance, such as
 * `{vehicles.vehicle_registration}`.
 */
const EACH = /^\{(\w+)\.(\w+)\}$/;

/**
 * Returns the covered items of a policy, such as vehicles. Each item's text comes from the first
 * summary rule over instances that yields a text. Returns null if no rule yields a text.
 */
export function coveredItems(
  { form, info }: Product,
  { multi }: Pick<QuoteRead, 'multi'>,
): CoveredItems | null {
  for (const { text, upper } of info.summary) {
    const [, identifier, name] = EACH.exec(text) ?? [];
    const dataset = form.datasets.find((each) => each.multi && each.identifier === identifier);
    const field = dataset?.fields.find((each) => each.name === name);
    if (!dataset || !field) continue;
    const items = (multi[dataset.identifier] ?? []).flatMap((instance, index) => {
      const shown = displayValue(field, instance[field.name] ?? null);
      return shown ? [{ key: String(index), text: upper ? shown.toUpperCase() : shown }] : [];
    });
    if (items.length === 0) continue;
    const plural = dataset.plural ?? dataset.title;
    const title = plural.charAt(0).toUpperCase() + plural.slice(1);
    return { title, plates: isPlate(field), items };
  }
  return null;
}
