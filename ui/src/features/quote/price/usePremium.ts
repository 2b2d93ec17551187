import { useMemo } from 'react';
import type { QuoteInfo } from '../../../api/types';
import { serialisePriced } from '../../../form/answers/serialize';
import { evaluate, type FormState } from '../../../form/conditions/visibility';
import type { Answers, Form, ProductInfo } from '../../../form/types';
import { faultyPaths } from '../../../form/validation/validate';
import { readSource, type Source } from '../start/tracking';
import type { PremiumState } from './PremiumFigure';
import { asksForMore, isPriceable, type Premium, premiumOf } from './pricing';
import { usePrice, useRecentChange, useSettledProduct } from './usePrice';

/** Returns the answers that a price needs, or null if the answers do not suffice for a price. */
export function pricedProduct(form: Form, info: ProductInfo, answers: Answers, state?: FormState) {
  const formState = state ?? evaluate(form, answers);
  if (!isPriceable(form, formState)) return null;
  return serialisePriced(form, formState, info.watch, faultyPaths(form, formState));
}

function savedPremium(quote: QuoteInfo): Premium | null {
  if (!quote.price) return null;
  return {
    amount: quote.price.amount_total,
    currency: quote.price.currency,
    per: quote.price.per,
    basis: quote.price.basis,
    lines: quote.price.lines,
    inception: quote.dates.inception,
    expiry: quote.dates.expiry,
  };
}

interface PremiumInput {
  form: Form;
  info: ProductInfo;
  answers: Answers;
  state: FormState;
  /** Whether a saved quote's price is still valid for these answers. */
  isOfferValid: boolean;
  quote: QuoteInfo | null;
  source: Source;
  /**
   * Whether to read a price. False while the vehicle on the first page is unknown, undecided or
   * refused.
   */
  isPriced: boolean;
}

/** Returns the campaign of a quote's price. A saved quote keeps its own campaign. */
export function sourceOf(quote: QuoteInfo | null): Source {
  if (!quote) return readSource();
  const { source_tracking: own } = quote;
  return Object.keys(own).length > 0 ? { source_tracking: own } : {};
}

/** Returns the price to pay: the saved quote's price while that price is valid, or a new price. */
export function usePremium(input: PremiumInput): PremiumState {
  const { form, info, answers, state, isOfferValid, quote, source, isPriced } = input;
  const savedFigures = quote && isOfferValid ? savedPremium(quote) : null;
  const now = useMemo(
    () => (savedFigures || !isPriced ? null : pricedProduct(form, info, answers, state)),
    [savedFigures, isPriced, form, info, answers, state],
  );
  const settled = useSettledProduct(now);
  const { figures, pending, error, retry } = usePrice(now, settled, source);
  // The saved price stays until the first price after a change has been read.
  const saved = quote && pending ? savedPremium(quote) : null;
  const calculated = figures && premiumOf(figures);
  // A renewal starts after the policy that it renews, so the dates are always the quote's.
  const own = quote?.flags.renewal_quote ? quote.dates : null;
  const premium = savedFigures ?? (calculated ? { ...calculated, ...own } : saved);
  const change = useRecentChange(premium?.basis === 'term' ? premium.amount : null);
  return { premium, change, pending, error: asksForMore(error, settled) ? null : error, retry };
}
