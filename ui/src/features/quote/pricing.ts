import type { PriceFigures, SerializedProduct, SourceTracking } from '../../api/types';
import { isMissing } from '../../form/conditions';
import type { Field, Form } from '../../form/types';
import type { FormState } from '../../form/visibility';

/** The choices whose cards decide what is sold at all: no price is asked before they are made. */
export function decisiveFields(form: Form, state: FormState): Field[] {
  return form.datasets
    .filter((dataset) => !dataset.multi)
    .flatMap((dataset) => {
      const shown = state.datasets[dataset.identifier];
      return dataset.fields.filter(
        (field) => field.kind === 'cards' && field.rateable && shown?.fields[field.name]?.visible,
      );
    });
}

/** The last of them is the one that is compared by price: each of its cards shows its own. */
export function comparedField(form: Form, state: FormState): Field | undefined {
  return decisiveFields(form, state).at(-1);
}

/** Whether enough is chosen for a price. */
export function isPriceable(form: Form, state: FormState): boolean {
  const fields = decisiveFields(form, state);
  return fields.length > 0 && fields.every((field) => !isMissing(state.values[field.name]));
}

/** Whether everything but the compared choice is made, so that its cards can be priced. */
export function isComparable(form: Form, state: FormState): boolean {
  const fields = decisiveFields(form, state);
  return (
    fields.length > 0 && fields.slice(0, -1).every((field) => !isMissing(state.values[field.name]))
  );
}

export interface PriceRequest {
  product_identifier: string;
  product: SerializedProduct;
  quote_ready: true;
  source_tracking?: SourceTracking;
}

export function priceRequest(product: SerializedProduct, tracking?: SourceTracking): PriceRequest {
  return {
    product_identifier: product.product_identifier,
    product,
    quote_ready: true,
    ...(tracking ? { source_tracking: tracking } : {}),
  };
}

/** What the sidebar shows, from a price just worked out or from a saved quote. */
export interface Premium {
  amount: number;
  currency: string;
  per: 'year' | 'trip';
  lines: PriceFigures['lines'];
  tax: number;
  inception: string | null;
  expiry: string | null;
}

export function premiumOf(figures: PriceFigures): Premium {
  return {
    amount: figures.amount_total,
    currency: figures.currency,
    per: figures.per,
    lines: [...figures.lines, ...figures.additional_charges],
    tax: figures.amount_tax,
    inception: figures.inception,
    expiry: figures.expiry,
  };
}
