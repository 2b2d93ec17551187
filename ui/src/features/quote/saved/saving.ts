import { type ApiError, api } from '../../../api/client';
import { tooManyText, waitText } from '../../../api/failure';
import { lookupsField } from '../../../api/lookups';
import type {
  AffiliateEntries,
  QuoteAccepted,
  QuoteCreated,
  QuoteUpdated,
  SavedLookUp,
} from '../../../api/types';
import type { Errors, SerializedProduct } from '../../../form/types';
import type { CreateBody } from '../start/tracking';
import { type Source, sourcePayload } from '../start/tracking';

export const CREATED = 'Quote created successfully.';
export const UPDATED = 'Quote updated successfully.';
export const TRY_AGAIN = 'Error. Please correct the form and try again.';
export const NOT_LOGGED_IN =
  'You cannot update quote if you are not logged in. To log in please check your email or contact support.';
export const LOGGED_IN = 'You are logged in. You can save your changes now.';

/** The text if the amount to pay differs from the amount on the button. */
export const PRICE_MOVED =
  'The price has changed since you saw it. Please look at it again before you pay.';

/** The error code of a save that would overwrite a newer revision. */
export const STALE = 'stale_revision';

/** The error code if a price can't be paid monthly. */
export const MONTHLY_REFUSED = 'monthly_not_offered';

/** The error code of an acceptance in a shop without online payment. */
export const NO_GATEWAY = 'no_gateway';

/**
 * The idempotency key of a request. Sending the same body again with this key makes no second
 * quote.
 */
export interface CreateKey {
  body: string;
  key: string;
}

export function keyFor(body: unknown, last: CreateKey | null): CreateKey {
  const text = JSON.stringify(body);
  return last?.body === text ? last : { body: text, key: crypto.randomUUID() };
}

export function createBody(
  product: SerializedProduct,
  source: Source,
  entries: AffiliateEntries[],
  lookups: SavedLookUp[] = [],
): CreateBody {
  return { product, ...sourcePayload(source, product, entries), ...lookupsField(lookups) };
}

export function createQuote(product: string, body: CreateBody, key: string): Promise<QuoteCreated> {
  return api.post('/api/v2/public/quote/{product}', {
    path: { product },
    header: { 'Idempotency-Key': key },
    body,
  });
}

export function updateQuote(
  uuid: string,
  revision: number,
  product: SerializedProduct,
  lookups: SavedLookUp[] = [],
): Promise<QuoteUpdated> {
  return api.put('/api/v1/quote/{id}', {
    path: { id: uuid },
    body: {
      product,
      revision_id: revision,
      path: window.location.pathname,
      ...lookupsField(lookups),
    },
    quote: uuid,
  });
}

interface Agreement {
  isMonthly?: boolean;
  autoRenew: boolean;
  exclusions: Record<string, boolean>;
}

/** Accepts the shown revision of a quote. The server refuses to accept another revision. */
export function acceptQuote(
  uuid: string,
  revision: number,
  { isMonthly = false, autoRenew, exclusions }: Agreement,
): Promise<QuoteAccepted> {
  return api.post('/api/v1/quote/update-accept/{id}', {
    path: { id: uuid },
    body: {
      payment_frequency: isMonthly ? 'monthly' : 'annual',
      terms_and_conditions: true,
      auto_renew: autoRenew,
      revision_id: revision,
      exclusions,
    },
    quote: uuid,
  });
}

/** Reads the server's errors of one step, or of all steps. The server stores nothing. */
export async function checkOnServer(product: SerializedProduct, step?: number): Promise<Errors> {
  const { errors } = await api.post('/api/v1/form/{id}/check', {
    path: { id: product.product_identifier },
    body: { ...product, ...(step === undefined ? {} : { step }) },
  });
  return errors;
}

/** Returns the snackbar's text for a failed save, check or acceptance. */
export function failureText(error: ApiError): string {
  switch (error.status) {
    case 0:
    case 401:
      return error.message;
    case 404:
      return 'This quote is no longer here. You can start a new one with the same answers.';
    case 409:
      return error.code === STALE ? 'This quote was changed somewhere else.' : error.message;
    case 422:
      return error.code === MONTHLY_REFUSED ? error.message : TRY_AGAIN;
    case 429:
      return tooManyText(error);
    case 503:
      return `We are busy just now. ${waitText(error.retryAfter)}`;
    default:
      return TRY_AGAIN;
  }
}
