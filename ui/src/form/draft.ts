import { DRAFTS, LAST_QUOTES } from '../lib/drafts';
import { readStored, removeStored, writeStored } from '../lib/storage';
import type { Prefilled } from './beginning';
import type { Answers } from './types';

/** Answers that are not on the server yet, kept in the browser. */
export interface Draft {
  answers: Answers;
  /** The `cover` of /breakdown/{cover} whose answers are already in the draft. */
  preset?: string;
  /** The revision of a saved quote that these answers change. */
  revision?: number;
  /** Answers that were filled in from the profile of a person who was logged in. */
  prefilled?: Prefilled;
  at: string;
}

const DAY_MS = 86_400_000;

/** `scope` is a product for a new quote, or the uuid of a saved one. */
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

/** The draft, unless it is older than a quote is valid, in days. */
export function readDraft(scope: string, days: number, now: Date = new Date()): Draft | null {
  const draft = readStored<Draft>(draftKey(scope));
  if (!draft || !isAnswers(draft.answers)) return null;
  if (now.getTime() - Date.parse(draft.at) <= days * DAY_MS) return draft;
  removeStored(draftKey(scope));
  return null;
}

export function writeDraft(scope: string, draft: Omit<Draft, 'at'>): void {
  writeStored(draftKey(scope), { ...draft, at: new Date().toISOString() } satisfies Draft);
}

export function removeDraft(scope: string): void {
  removeStored(draftKey(scope));
}

/** The quote that was last saved from this browser, for a link back to it. */
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
