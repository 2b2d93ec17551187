import { useMemo } from 'react';
import useSWR from 'swr';
import { ApiError, api } from '../../../api/client';
import type { PlanOffer } from '../../../api/types';
import type { Form, ProductInfo } from '../../../form/types';
import type { Journey } from '../journey/useJourney';
import type { PremiumState } from '../price/PremiumFigure';
import { fetchWithRetry } from '../price/priceCalls';
import { type PriceRequest, priceRequest } from '../price/pricing';
import { pricedProduct } from '../price/usePremium';
import { PRICE_OPTIONS } from '../price/usePrice';
import { MONTHLY_REFUSED } from '../saved/saving';
import type { Source } from '../start/tracking';

const PATH = '/api/v1/monthly-price';

/** Reads the plan of answers. Returns null if their price can't be paid monthly. */
async function fetchPlan([, request]: readonly [string, string]): Promise<PlanOffer | null> {
  const body = JSON.parse(request) as PriceRequest;
  try {
    return (await fetchWithRetry(() => api.post(PATH, { body }))).plan;
  } catch (error) {
    if (error instanceof ApiError && error.code === MONTHLY_REFUSED) return null;
    throw error;
  }
}

export interface MonthlyOffer {
  /** The plan by which the price can be paid. Null if it can't, or while the plan is unknown. */
  plan: PlanOffer | null;
  /** Whether `plan` is of an earlier price, and the new plan is being read. */
  isPending: boolean;
  /** Whether the plan could not be read. */
  isFailed: boolean;
  isValidating: boolean;
  mutate: () => Promise<unknown>;
}

interface Input {
  form: Form;
  info: ProductInfo;
  priced: Journey['priced'];
  price: PremiumState;
  source: Source;
  /** Whether the saved quote's price is valid for the answers. */
  isOfferValid: boolean;
  /** The plan of the saved quote. */
  savedPlan: PlanOffer | null;
  /** Whether the page shows the plan. */
  isShown: boolean;
}

/** Returns the plan of the shown price: the saved quote's, or the plan of the present answers. */
export function useMonthlyOffer(input: Input): MonthlyOffer {
  const { form, info, priced, price, source, isOfferValid, savedPlan, isShown } = input;
  const { premium } = price;
  const isAnnual = isShown && premium?.per === 'year' && premium.basis === 'term';
  const isRead = isAnnual && !isOfferValid && !price.pending;
  const product = useMemo(
    () => (isRead ? pricedProduct(form, info, priced.answers, priced.state) : null),
    [isRead, form, info, priced],
  );
  const { data, error, isLoading, isValidating, mutate } = useSWR(
    product && ([PATH, JSON.stringify(priceRequest(product, source))] as const),
    fetchPlan,
    { ...PRICE_OPTIONS, keepPreviousData: true },
  );
  const isPending = price.pending || isLoading;
  const latest = isPending ? (data ?? savedPlan) : (data ?? null);
  const plan = isOfferValid ? savedPlan : latest;
  // A plan of another price must not be chosen.
  const isOffered = isAnnual && (isPending || plan?.total === premium.amount);
  return {
    plan: isOffered ? plan : null,
    isPending,
    isFailed: isRead && error !== undefined && !isValidating,
    isValidating,
    mutate,
  };
}
