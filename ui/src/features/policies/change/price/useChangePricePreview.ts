import { useDebouncedValue } from '@mantine/hooks';
import useSWR from 'swr';
import { ApiError, api } from '../../../../api/client';
import type { ChangedProduct, ChangePrice } from '../../../../api/policies/policyTypes';

/** The pause after the last change of an answer before the price is read, in milliseconds. */
export const TYPING_MS = 600;

const PATH = '/api/v1/policy/{id}/mta/price';

/**
 * The answers and the day of a change. Without `effective_date` the change starts on the first
 * possible day.
 */
export interface ChangePriceRequest {
  product: ChangedProduct;
  effective_date?: string;
}

function read([, policy, request]: readonly [string, string, string]): Promise<ChangePrice> {
  return api.post(PATH, {
    path: { id: policy },
    body: JSON.parse(request) as ChangePriceRequest,
    login: 'never',
  });
}

export interface ChangePricePreview {
  price: ChangePrice | null;
  pending: boolean;
  error: ApiError | null;
}

/**
 * Reads the price of a change while the customer types. `request` is null while the answers are
 * unchanged, do not affect the price, or have errors.
 */
export function useChangePricePreview(
  policy: string,
  request: ChangePriceRequest | null,
): ChangePricePreview {
  const now = request ? JSON.stringify(request) : null;
  const [debounced] = useDebouncedValue(now, TYPING_MS);
  const pricedRequest = now && debounced;
  const { data, error, isLoading, isValidating } = useSWR(
    pricedRequest ? ([PATH, policy, pricedRequest] as const) : null,
    read,
    {
      revalidateOnFocus: false,
      revalidateOnReconnect: false,
      shouldRetryOnError: false,
      keepPreviousData: true,
    },
  );
  const preview = pricedRequest && !error ? (data ?? null) : null;
  const failed = pricedRequest && now === debounced && !isValidating && error instanceof ApiError;
  return {
    price: preview,
    pending: now !== null && (now !== debounced || isLoading),
    error: failed ? error : null,
  };
}
