import type { ApiError } from '../../api/client';
import type { Body } from '../../api/operations';
import type { PriceFigures, SerializedProduct } from '../../api/types';
import { readAnswer } from '../../form/answers';
import { isMissing } from '../../form/conditions';
import type { Field, Form } from '../../form/types';
import type { FormState } from '../../form/visibility';
import type { Source } from './tracking';

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

/** Where no cards decide, every choice of the whole quote that its price depends on does. */
function choicesToMake(form: Form, state: FormState): Field[] {
  return form.datasets
    .filter((dataset) => !dataset.multi)
    .flatMap((dataset) =>
      dataset.fields.filter(
        (field) =>
          field.required &&
          field.rateable &&
          (field.options.length > 0 || field.kind === 'yes_no') &&
          state.datasets[dataset.identifier]?.fields[field.name]?.visible,
      ),
    );
}

/** Whether enough is chosen for a price; what the product assumes beside it the server knows. */
export function isPriceable(form: Form, state: FormState): boolean {
  const cards = decisiveFields(form, state);
  const fields = cards.length > 0 ? cards : choicesToMake(form, state);
  return fields.every((field) => !isMissing(state.values[field.name]));
}

/** A price that waits for an answer nobody has given yet has not failed. */
export function asksForMore(error: ApiError | null, product: SerializedProduct | null): boolean {
  if (error?.status !== 422 || !product) return false;
  const paths = Object.keys(error.errors);
  return paths.length > 0 && paths.every((path) => isMissing(readAnswer(product, path)));
}

/** Whether everything but the compared choice is made, so that its cards can be priced. */
export function isComparable(form: Form, state: FormState): boolean {
  const fields = decisiveFields(form, state);
  return (
    fields.length > 0 && fields.slice(0, -1).every((field) => !isMissing(state.values[field.name]))
  );
}

export type PriceRequest = Body<'post', '/api/v1/price'>;

export function priceRequest(product: SerializedProduct, source: Source = {}): PriceRequest {
  return {
    product_identifier: product.product_identifier,
    product,
    quote_ready: true,
    // A campaign changes a price; whose affiliate's list it is doesn't.
    ...(source.source_tracking && { source_tracking: source.source_tracking }),
  };
}

/** What the sidebar shows, from a price just worked out or from a saved quote. */
export interface Premium {
  amount: number;
  currency: string;
  per: 'year' | 'trip';
  lines: PriceFigures['lines'];
  inception: string | null;
  expiry: string | null;
}

export function premiumOf(figures: PriceFigures): Premium {
  return {
    amount: figures.amount_total,
    currency: figures.currency,
    per: figures.per,
    lines: [...figures.lines, ...figures.additional_charges],
    inception: figures.inception,
    expiry: figures.expiry,
  };
}
