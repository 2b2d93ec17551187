import { DRAFTS, LAST_QUOTES } from '../../lib/storage/drafts';
import { isFresh } from '../../lib/storage/retention';
import { readStored, removeStored, writeStored } from '../../lib/storage/storage';
import type { Answers } from '../types';
import type { Prefilled } from './restoreAnswers';

/** Unsaved answers in the browser's storage. */
export interface Draft {
  answers: Answers;
  /** The `cover` of /breakdown/{cover} whose answers are already in the draft. */
  preset?: string;
  /** The revision of the saved quote to which these answers belong. */
  revision?: number;
  /** Answers from the profile of the person who was logged in. */
  prefilled?: Prefilled;
  at: string;
}

/**
 * Returns the storage name of a draft. `scope` is a product for a new quote, or the uuid of a saved
 * quote.
 */
const draftKey = (scope: string) => `${DRAFTS}${scope}`;
const lastKey = (product: string) => `${LAST_QUOTES}${product}`;

function isAnswers(value: unknown): value is Answers {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Answers).values === 'object' &&
    typeof (value as Answers).multi === 'object'
  );
}

/**
 * Reads the draft. Returns null if there is none, or if it is malformed. Removes a draft that is
 * older than the retention, and returns null.
 */
export function readDraft(scope: string, now: Date = new Date()): Draft | null {
  const draft = readStored<Draft>(draftKey(scope));
  if (!draft || !isAnswers(draft.answers)) return null;
  if (isFresh(draft.at, now)) return draft;
  removeStored(draftKey(scope));
  return null;
}

export function writeDraft(scope: string, draft: Omit<Draft, 'at'>): void {
  const { rows: _, ...answers } = draft.answers;
  writeStored(draftKey(scope), { ...draft, answers, at: new Date().toISOString() } satisfies Draft);
}

export function removeDraft(scope: string): void {
  removeStored(draftKey(scope));
}

/** The last quote of a product that was saved in this browser, for a link to the quote. */
export interface LastQuote {
  uuid: string;
  custom_id: string;
}

export function readLastQuote(product: string): LastQuote | null {
  const last = readStored<Partial<LastQuote>>(lastKey(product));
  return typeof last?.uuid === 'string' && typeof last.custom_id === 'string'
    ? { uuid: last.uuid, custom_id: last.custom_id }
    : null;
}

export function writeLastQuote(product: string, last: LastQuote): void {
  writeStored(lastKey(product), last);
}

export function forgetLastQuote(product: string): void {
  removeStored(lastKey(product));
}
