import useSWR, { mutate, type SWRConfiguration } from 'swr';
import { forgetLogin, mayBeLoggedIn } from '../lib/session/mayBeLoggedIn';
import { storePreferences } from '../lib/storage/preferences';
import { tokenFor } from '../lib/storage/tokens';
import { ApiError, address, api, isAddressOf } from './client';
import type { PathOf } from './operations';
import { ON_DEMAND, useRead } from './read';
import type { Payment, Profile } from './types';

const STATIC: SWRConfiguration = { revalidateOnFocus: false, revalidateIfStale: false };

/**
 * Reads the shop's settings. Every page needs them, so SWR repeats a failed read without a limit,
 * with longer and longer pauses.
 */
export function useSite() {
  return useRead('/api/v1/site', {}, { ...STATIC, errorRetryCount: undefined });
}

/** Reads the questions and answers about the products on sale. */
export function useHelp() {
  return useRead('/api/v1/help', {}, STATIC);
}

/** Reads the settings again, after a response that contradicts them. */
export function refreshSite(): Promise<unknown> {
  return mutate(address('/api/v1/site'));
}

const PROFILE = address('/api/v1/profile');

export const profileKey = (scope: string | null) => [PROFILE, scope] as const;

export async function readProfile(quote: string | null): Promise<Profile | null> {
  try {
    const profile = await api.get('/api/v1/profile', quote ? { quote } : {});
    if (!quote) storePreferences(profile.user_uuid);
    return profile;
  } catch (error) {
    if (!(error instanceof ApiError && (error.status === 401 || error.status === 403))) throw error;
    if (!quote) forgetLogin();
    return null;
  }
}

/**
 * Reads the profile. Returns null without a call if there is no scope and the visitor can't be
 * logged in.
 */
export async function readKnownProfile(scope: string | null): Promise<Profile | null> {
  return scope || mayBeLoggedIn() ? readProfile(scope) : null;
}

/**
 * Reads the profile of the person logged in. If this browser has the token of `quote`, reads the
 * profile of the quote's policyholder. Returns null if there is no such person. The call never
 * opens the login.
 */
export function useProfile(quote?: string | null) {
  const scope = quote && tokenFor(quote) ? quote : null;
  return useSWR(profileKey(scope), () => readKnownProfile(scope), {
    revalidateOnFocus: false,
    shouldRetryOnError: false,
  });
}

const isProfile = (key: unknown) => Array.isArray(key) && key[0] === PROFILE;

/**
 * Reads every profile in use again, for example after a confirmed mail address or with a new
 * consumer token.
 */
export function refreshProfile(): Promise<unknown> {
  return mutate(isProfile);
}

export function forgetProfiles(): Promise<unknown> {
  return mutate(isProfile, null, { revalidate: false });
}

/** Drops the policyholders' profiles that quote tokens gave access to. */
export function forgetHolders(): Promise<unknown> {
  const isHolder = (key: unknown) => isProfile(key) && (key as unknown[])[1] !== null;
  return mutate(isHolder, null, { revalidate: false });
}

/** The calls whose response depends on the person logged in, except the profile. */
const PRIVATE: readonly PathOf<'get'>[] = [
  '/api/v2/public/quote/read/{id}',
  '/api/v2/quote/documents/{id}',
  '/api/v2/policy/read/{id}',
  '/api/v1/policy/{id}/documents',
  '/api/v1/policy/{id}/mta',
  '/api/v1/activities',
  '/api/v1/payment/{id}',
  '/api/v1/renewal/{id}',
  '/api/v1/profile/cards',
];

export function isPrivate(key: unknown): boolean {
  if (Array.isArray(key)) return key[0] === 'account';
  return PRIVATE.some((path) => isAddressOf(path, key));
}

export function useProduct(identifier: string | null) {
  return useRead(
    '/api/v2/openapi/product/{id}',
    identifier ? { path: { id: identifier } } : null,
    STATIC,
  );
}

export function useStepper(identifier: string | null) {
  return useRead(
    '/api/v2/openapi/product/{identifier}/stepper',
    identifier ? { path: { identifier } } : null,
    STATIC,
  );
}

/** Reads all products on sale. */
export function useEnabledProducts() {
  return useRead('/api/v2/products/enabled', {}, STATIC);
}

/** Reads every product, for the filter of a list. */
export function useListedProducts() {
  return useRead('/api/v2/product/list', {}, STATIC);
}

export function useListedStatuses() {
  return useRead('/api/v1/quote/statuses', {}, STATIC);
}

const callFor = (uuid: string | null) => (uuid ? { path: { id: uuid }, quote: uuid } : null);

export const readQuote = (uuid: string) =>
  api.get('/api/v2/public/quote/read/{id}', { path: { id: uuid }, quote: uuid });

export const quoteKey = (uuid: string) =>
  address('/api/v2/public/quote/read/{id}', { path: { id: uuid } });

export function useQuoteRead(uuid: string | null) {
  return useRead('/api/v2/public/quote/read/{id}', callFor(uuid), ON_DEMAND);
}

export const policyKey = (uuid: string) =>
  address('/api/v2/policy/read/{id}', { path: { id: uuid } });

export function usePolicyRead(uuid: string | null) {
  return useRead('/api/v2/policy/read/{id}', callFor(uuid), ON_DEMAND);
}

/**
 * Drops the cached quote and policy after a change. A quote or policy on the screen is read again.
 */
export async function forgetQuote(uuid: string): Promise<void> {
  for (const key of [quoteKey(uuid), policyKey(uuid)]) {
    await mutate(key, undefined, { revalidate: true });
  }
}

export const paymentKey = (uuid: string) => address('/api/v1/payment/{id}', { path: { id: uuid } });

/**
 * Reads the newest payment attempt of a quote or of a change of a policy. Returns null if the
 * server finds no attempt (404).
 */
export async function readPayment(uuid: string): Promise<Payment | null> {
  try {
    return await api.get('/api/v1/payment/{id}', { path: { id: uuid }, quote: uuid });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
