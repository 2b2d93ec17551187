import type { Body } from '../../../api/operations';
import type { AffiliateEntries, SerializedProduct, SourceTracking } from '../../../api/types';
import { readStored, writeStored } from '../../../lib/storage/storage';

export type CreateBody = Body<'post', '/api/v2/public/quote/{product}'>;

const KEY = 'layby.source';
const UTM_KEYS = ['utm_source', 'utm_campaign', 'utm_medium'] as const;
const MAX_WORD_LENGTH = 200;
// The most ids that are read from an address. `maxRequests` limits the ids of a quote further.
const MAX_IDS = 50;
// The longest id, in characters. Eleven such ids, each with the request's id, stay below the
// server's limit of 16 KiB.
const MAX_ID_LENGTH = 100;

/** The visitor's source, from the latest address with a source in this tab. */
export interface Source
  extends Pick<CreateBody, 'source_tracking' | 'affiliate_uuid' | 'affiliate_request_uuid'> {
  /** The affiliate's ids, one for each covered item or person, in order. */
  custom_ids?: string[];
}

/** The source of one product's request, in the server's format. */
export interface SourcePayload extends Omit<Source, 'custom_ids'> {
  affiliate_extra?: { multiple: true; requests: Record<string, Record<string, string>> };
}

// Anyone can write an address, so control characters are removed from words and ids.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are removed
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

function clean(text: string | null | undefined): string {
  return (text ?? '').replace(CONTROL, '').trim();
}

/**
 * Cleans a text and cuts it to `MAX_WORD_LENGTH` characters, between code points. The server would
 * refuse a quote with half a surrogate pair.
 */
function shortText(text: string | null): string | undefined {
  return [...clean(text)].slice(0, MAX_WORD_LENGTH).join('').trim() || undefined;
}

/**
 * Returns a cleaned id, or undefined if the id is empty or too long. A cut id could be another
 * person's.
 */
function id(text: string | null | undefined, maxLength = MAX_WORD_LENGTH): string | undefined {
  const cleaned = clean(text);
  return cleaned !== '' && [...cleaned].length <= maxLength ? cleaned : undefined;
}

/**
 * Returns the ids of `affiliate_extra=a,b` or `affiliate_extra=a&affiliate_extra=b`, with or
 * without `[]`.
 */
function customIds(params: URLSearchParams): string[] {
  const extras = [...params.getAll('affiliate_extra'), ...params.getAll('affiliate_extra[]')];
  const ids = extras
    .flatMap((text) => text.split(','))
    .flatMap((text) => id(text, MAX_ID_LENGTH) ?? []);
  return [...new Set(ids)].slice(0, MAX_IDS);
}

function withoutEmpty<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}

function fromAddress(search: string): Source {
  const params = new URLSearchParams(search);
  const tracking: SourceTracking = withoutEmpty({
    external_uuid: id(params.get('external_uuid')),
    ...Object.fromEntries(UTM_KEYS.map((name) => [name, shortText(params.get(name))])),
  });
  const ids = customIds(params);
  return withoutEmpty({
    source_tracking: Object.keys(tracking).length > 0 ? tracking : undefined,
    affiliate_uuid: id(params.get('affiliate_uuid')),
    affiliate_request_uuid: id(params.get('affiliate_request_uuid')),
    custom_ids: ids.length > 0 ? ids : undefined,
  });
}

// A copy in memory, for browsers without storage.
let fallbackSource: Source = {};

/**
 * Returns the visitor's source from the current address, and stores this source. Returns the stored
 * source of this tab if the address has none.
 */
export function readSource(search: string = window.location.search): Source {
  const source = fromAddress(search);
  if (Object.keys(source).length === 0) {
    const stored = readStored<unknown>(KEY, 'session');
    return typeof stored === 'object' && stored !== null ? (stored as Source) : fallbackSource;
  }
  fallbackSource = writeStored(KEY, source, 'session') ? {} : source;
  return source;
}

/** Checks whether the visitor's source is the source in the current address. */
export function sourceIsOfAddress(search: string = window.location.search): boolean {
  return JSON.stringify(readSource(search)) === JSON.stringify(fromAddress(search));
}

/**
 * Returns the largest number of affiliate requests for a quote with these answers (part 3 of the
 * specification).
 */
function maxRequests({ multi }: SerializedProduct, entries: AffiliateEntries[]): number {
  return Math.max(1, ...entries.map(({ dataset, more }) => (multi[dataset]?.length ?? 0) + more));
}

/** Builds the source for one product, with at most `maxRequests` custom ids. */
export function sourcePayload(
  source: Source,
  product: SerializedProduct,
  entries: AffiliateEntries[],
): SourcePayload {
  const { custom_ids: ids, ...rest } = source;
  if (!Array.isArray(ids) || ids.length === 0) return rest;
  const request: Record<string, string> = rest.affiliate_request_uuid
    ? { affiliate_request_uuid: rest.affiliate_request_uuid }
    : {};
  // `fromEntries` accepts any id as a name, `__proto__` too.
  const requests = Object.fromEntries(
    ids.slice(0, maxRequests(product, entries)).map((customId) => [customId, request]),
  );
  return { ...rest, affiliate_extra: { multiple: true, requests } };
}
