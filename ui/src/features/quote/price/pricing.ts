import type { ApiError } from '../../../api/client';
import type { Body } from '../../../api/operations';
import type { PriceFigures, SerializedProduct } from '../../../api/types';
import { readAnswer } from '../../../form/answers/answers';
import { isMissing } from '../../../form/conditions/conditions';
import type { FormState } from '../../../form/conditions/visibility';
import type { Answers, Field, Form, ProductInfo } from '../../../form/types';
import type { Source } from '../start/tracking';

/**
 * Returns the visible questions with cards that affect the price, outside repeatable datasets. A
 * quote has no price before these questions are answered.
 */
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

/**
 * Returns the last decisive field, or undefined if there is none. Each card of this field shows the
 * price with its choice.
 */
export function comparedField(form: Form, state: FormState): Field | undefined {
  return decisiveFields(form, state).at(-1);
}

/**
 * Returns the fields that need an answer for a price in a form without decisive fields. These are
 * visible, required choices that affect the price, outside repeatable datasets.
 */
function openChoices(form: Form, state: FormState): Field[] {
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

/**
 * Checks whether the answers suffice for a price. For missing answers, the server assumes the
 * product's values.
 */
export function isPriceable(form: Form, state: FormState): boolean {
  const cards = decisiveFields(form, state);
  const fields = cards.length > 0 ? cards : openChoices(form, state);
  return fields.every((field) => !isMissing(state.values[field.name]));
}

/**
 * Checks whether a price failed only because answers are missing. The website does not show such a
 * failure as an error.
 */
export function asksForMore(error: ApiError | null, product: SerializedProduct | null): boolean {
  if (error?.status !== 422 || !product) return false;
  const paths = Object.keys(error.errors);
  return paths.length > 0 && paths.every((path) => isMissing(readAnswer(product, path)));
}

/**
 * Checks whether all decisive fields before the last one have an answer. The cards of the last
 * field can then show prices. Returns false without decisive fields.
 */
export function isComparable(form: Form, state: FormState): boolean {
  const fields = decisiveFields(form, state);
  return (
    fields.length > 0 && fields.slice(0, -1).every((field) => !isMissing(state.values[field.name]))
  );
}

/**
 * Returns the answers, with the product's start answers in place of missing ones. The first prices
 * are for these answers.
 */
export function withAssumed(info: ProductInfo, answers: Answers): Answers {
  const assumed = Object.entries(info.start_field?.answers ?? {}).filter(([name]) =>
    isMissing(answers.values[name]),
  );
  if (assumed.length === 0) return answers;
  return { ...answers, values: { ...answers.values, ...Object.fromEntries(assumed) } };
}

/**
 * Returns the text about the items that the compared prices assume. Returns null if the cards show
 * no prices, or if nothing is assumed.
 */
export function pricesFor(form: Form, state: FormState): string | null {
  if (!isComparable(form, state)) return null;
  const assumed = form.datasets.flatMap((dataset) => {
    if (!dataset.assumed || !state.datasets[dataset.identifier]?.visible) return [];
    const [first, ...others] = state.multi[dataset.identifier] ?? [];
    const isAnswered = dataset.fields.some(
      (field) => field.rateable && !isMissing(first?.[field.name]),
    );
    return others.length > 0 || isAnswered ? [] : [dataset.assumed];
  });
  return assumed.length > 0
    ? `Prices are for ${assumed.join(', ')}, until you tell us about yours.`
    : null;
}

export type PriceRequest = Body<'post', '/api/v1/price'>;

export function priceRequest(product: SerializedProduct, source: Source = {}): PriceRequest {
  return {
    product_identifier: product.product_identifier,
    product,
    quote_ready: true,
    // A campaign may change the price. An affiliate's ids do not change the price.
    ...(source.source_tracking && { source_tracking: source.source_tracking }),
  };
}

/** The price and the dates in the summary of a new or a saved quote. */
export interface Premium {
  amount: number;
  currency: string;
  per: PriceFigures['per'];
  /** A price for a day is no total: the days of the trip are unknown. */
  basis: PriceFigures['basis'];
  lines: PriceFigures['lines'];
  inception: string | null;
  expiry: string | null;
}

/**
 * Returns the premium if the customer can pay it. Returns null without a price, for a daily price,
 * or while the price is pending.
 */
export function payable(price: { premium: Premium | null; pending: boolean }): Premium | null {
  return price.premium?.basis === 'term' && !price.pending ? price.premium : null;
}

export function premiumOf(figures: PriceFigures): Premium {
  return {
    amount: figures.amount_total,
    currency: figures.currency,
    per: figures.per,
    basis: figures.basis,
    lines: [...figures.lines, ...figures.additional_charges],
    inception: figures.inception,
    expiry: figures.expiry,
  };
}
