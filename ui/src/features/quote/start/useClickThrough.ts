import { useEffect } from 'react';
import useSWR, { mutate } from 'swr';
import { ApiError, api } from '../../../api/client';
import { statusOf } from '../../../api/failure';
import { profileKey, quoteKey, readProfile, readQuote } from '../../../api/hooks';
import type { QuoteRead } from '../../../api/types';
import { recordError } from '../../../lib/errors';
import { useGo } from '../../../lib/navigation/navigation';
import { paths } from '../../../lib/routes/paths';
import { CLICK_THROUGHS } from '../../../lib/storage/drafts';
import { readStored, removeStored, writeStored } from '../../../lib/storage/storage';
import { saveToken, tokenFor } from '../../../lib/storage/tokens';
import { resumeStep } from '../saved/resumeStep';

const PATH = '/api/v2/aggregator';
const CLICK_USED = 'click_used';
const NO_ADDRESS = 'no_address';
export const READ_FAILED = 'Aggregator read failed';

const clickKey = (id: string) => `${CLICK_THROUGHS}${id}`;

export function isUsed(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409 && error.code === CLICK_USED;
}

export function hasNoAddress(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422 && error.code === NO_ADDRESS;
}

/**
 * Reads the quote that this browser already opened by this link, because the link works only once.
 * Returns null if this browser has not opened the link yet, or can't read the quote any more.
 */
async function readOpenedQuote(id: string): Promise<QuoteRead | null> {
  const uuid = readStored<unknown>(clickKey(id));
  if (typeof uuid !== 'string' || !tokenFor(uuid)) return null;
  try {
    return await readQuote(uuid);
  } catch (error) {
    if (![401, 403, 404].includes(statusOf(error) ?? 0)) throw error;
    removeStored(clickKey(id));
    return null;
  }
}

async function clickThrough(id: string): Promise<QuoteRead> {
  // The response is empty only for a request to mail a link.
  const quote = (await api.post(PATH, { body: { id }, login: 'never' })) as QuoteRead;
  const { uuid, consumer_token: token } = quote.info;
  if (token) {
    saveToken(uuid, token);
    writeStored(clickKey(id), uuid);
    // Reads the policyholder's profile. If this read fails, the quote opens without the profile.
    await mutate(profileKey(uuid), readProfile(uuid), { revalidate: false }).catch(() => undefined);
  }
  return { ...quote, info: { ...quote.info, consumer_token: null } };
}

async function open(id: string): Promise<QuoteRead> {
  try {
    const quote = (await readOpenedQuote(id)) ?? (await clickThrough(id));
    await mutate(quoteKey(quote.info.uuid), quote, { revalidate: false });
    return quote;
  } catch (error) {
    if (!isUsed(error)) recordError({ message: READ_FAILED, status: statusOf(error) ?? 0 });
    throw error;
  }
}

/**
 * Opens the quote of a click-through. Exchanges the id for the quote and its token, unless this
 * browser has already done so.
 */
export function useClickThrough(id: string) {
  const go = useGo();
  // With these options SWR does not repeat the call. The link works only once.
  const { data, error, isValidating, mutate } = useSWR(['aggregator', id], () => open(id), {
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
    revalidateIfStale: false,
    shouldRetryOnError: false,
  });
  const uuid = data?.info.uuid;
  const step = data && resumeStep(data.info);

  useEffect(() => {
    // Replaces the page in the history, so that the history does not keep the id.
    if (uuid) void go(paths.quoteEdit(uuid, { step }), { replace: true });
  }, [uuid, step, go]);

  return { error: isValidating ? undefined : error, retry: () => void mutate() };
}

/** Requests a mail with a new link, to the mail address in the quote. */
export function mailLink(id: string): Promise<unknown> {
  return api.post(PATH, { body: { id, mail_link: true } });
}
