import { useDebouncedValue } from '@mantine/hooks';
import useSWR from 'swr';
import { ApiError, api } from '../../../../api/client';
import type { ChangedProduct, ChangePrice } from '../../../../api/policies/policyTypes';

/** The price is read when nothing was typed for this long. */
export const TYPING_MS = 600;

const PATH = '/api/v1/policy/{id}/mta/price';

/** The changed answers whose price is asked for, and the day, without one the first possible. */
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

/** What a change would cost, while it is typed; `request` is null while it can't be priced. */
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
