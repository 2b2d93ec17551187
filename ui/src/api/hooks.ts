import useSWR, { mutate, type SWRConfiguration } from 'swr';
import { keepPreferences } from '../lib/preferences';
import { tokenFor } from '../lib/tokens';
import { ApiError, api } from './client';
import type { PolicyRead } from './life';
import type {
  EnabledProduct,
  ListedProduct,
  ListedStatus,
  Payment,
  Product,
  Profile,
  QuoteRead,
  Site,
  StepperData,
} from './types';

const STEADY: SWRConfiguration = { revalidateOnFocus: false, revalidateIfStale: false };

/** What the shell shows. It doesn't change while the page is open. */
export function useSite() {
  return useSWR('/api/v1/site', (path: string) => api.get<Site>(path), STEADY);
}

export const profileKey = (scope: string | null) => ['/api/v1/profile', scope] as const;

export async function readProfile(quote: string | null): Promise<Profile | null> {
  try {
    const profile = await api.get<Profile>('/api/v1/profile', quote ? { quote } : {});
    if (!quote) keepPreferences(profile.user_uuid);
    return profile;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return null;
    throw error;
  }
}

/**
 * Who is here: without a uuid the person logged in, with one the policyholder typed into
 * that quote. Null when nobody is; it never redirects.
 */
export function useProfile(quote?: string | null) {
  const scope = quote && tokenFor(quote) ? quote : null;
  return useSWR(profileKey(scope), () => readProfile(scope), {
    revalidateOnFocus: false,
    shouldRetryOnError: false,
  });
}

const isProfile = (key: unknown) => Array.isArray(key) && key[0] === '/api/v1/profile';

/** Asks again who is here: after login and after a new consumer token. */
export function refreshProfile(): Promise<unknown> {
  return mutate(isProfile);
}

export function forgetProfiles(): Promise<unknown> {
  return mutate(isProfile, null, { revalidate: false });
}

/** Keys of answers that depend on who is logged in, beside the profile. */
export function isPrivate(key: unknown): boolean {
  if (Array.isArray(key)) return key[0] === 'account';
  return (
    typeof key === 'string' &&
    /^\/api\/v\d\/(public\/quote|quote\/documents|policy|payment|renewal|activities)[/?]/.test(key)
  );
}

export function useProduct(identifier: string | null) {
  return useSWR(
    identifier ? `/api/v2/openapi/product/${identifier}` : null,
    (path: string) => api.get<Product>(path),
    STEADY,
  );
}

export function useStepper(identifier: string | null) {
  return useSWR(
    identifier ? `/api/v2/openapi/product/${identifier}/stepper` : null,
    (path: string) => api.get<StepperData>(path),
    STEADY,
  );
}

/** Everything on sale. */
export function useEnabledProducts() {
  return useSWR(
    '/api/v2/products/enabled',
    (path: string) => api.get<EnabledProduct[]>(path),
    STEADY,
  );
}

/** What a list can be filtered by. */
export function useListedProducts() {
  return useSWR('/api/v2/product/list', (path: string) => api.get<ListedProduct[]>(path), STEADY);
}

export function useListedStatuses() {
  return useSWR('/api/v1/quote/statuses', (path: string) => api.get<ListedStatus[]>(path), STEADY);
}

export const quoteKey = (uuid: string) => `/api/v2/public/quote/read/${uuid}`;

export function useQuoteRead(uuid: string | null) {
  return useSWR(
    uuid ? quoteKey(uuid) : null,
    (path: string) => api.get<QuoteRead>(path, { quote: uuid ?? undefined }),
    { revalidateOnFocus: false, shouldRetryOnError: retryable },
  );
}

export const policyKey = (uuid: string) => `/api/v2/policy/read/${uuid}`;

export function usePolicyRead(uuid: string | null) {
  return useSWR(
    uuid ? policyKey(uuid) : null,
    (path: string) => api.get<PolicyRead>(path, { quote: uuid ?? undefined }),
    { revalidateOnFocus: false, shouldRetryOnError: retryable },
  );
}

/** What was read of it is dropped, where it is not on the screen: it is another one by now. */
export async function forgetQuote(uuid: string): Promise<void> {
  for (const key of [quoteKey(uuid), policyKey(uuid)]) {
    await mutate(key, undefined, { revalidate: true });
  }
}

export const paymentKey = (uuid: string) => `/api/v1/payment/${uuid}`;

/** The newest attempt to pay a quote or a change of a policy; null while there is none. */
export async function readPayment(uuid: string): Promise<Payment | null> {
  try {
    return await api.get<Payment>(paymentKey(uuid), { quote: uuid });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Asking again only helps where the server or the line was at fault. */
export function retryable(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}
