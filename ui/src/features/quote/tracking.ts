import type { Body } from '../../api/operations';
import type { AffiliateEntries, SerializedProduct, SourceTracking } from '../../api/types';
import { readStored, writeStored } from '../../lib/storage';

const KEY = 'layby.source';
const WORDS = ['utm_source', 'utm_campaign', 'utm_medium'] as const;
const LONGEST_WORD = 200;
// As many as an address could sensibly hold; a quote takes fewer (see `mostRequests`).
const MOST_IDS = 50;
// Eleven of the longest, each with a request's id, stay under the 16 KiB a server takes.
const LONGEST_CUSTOM_ID = 100;

type CreateBody = Body<'post', '/api/v2/public/quote/{product}'>;

/** Where a visitor came from, as the first page's address said it. */
export interface Source
  extends Pick<CreateBody, 'source_tracking' | 'affiliate_uuid' | 'affiliate_request_uuid'> {
  /** The affiliate's own ids, one for each thing or person to be covered, in their order. */
  custom_ids?: string[];
}

/** What of it goes to the server beside a product. */
export interface SentSource extends Omit<Source, 'custom_ids'> {
  affiliate_extra?: { multiple: true; requests: Record<string, Record<string, string>> };
}

// An address is anybody's to write: control characters have no business in a word or an id.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

function clean(text: string | null | undefined): string {
  return (text ?? '').replace(CONTROL, '').trim();
}

/** Cut between characters: half of one is refused by the server, and the quote with it. */
function word(text: string | null): string | undefined {
  return [...clean(text)].slice(0, LONGEST_WORD).join('').trim() || undefined;
}

/** An id that is too long is none: cut, it would be somebody else's. */
function id(text: string | null | undefined, longest = LONGEST_WORD): string | undefined {
  const cleaned = clean(text);
  return cleaned !== '' && [...cleaned].length <= longest ? cleaned : undefined;
}

/** `affiliate_extra=a,b`, `affiliate_extra=a&affiliate_extra=b`, with `[]` or without. */
function customIds(params: URLSearchParams): string[] {
  const given = [...params.getAll('affiliate_extra'), ...params.getAll('affiliate_extra[]')];
  const ids = given
    .flatMap((text) => text.split(','))
    .flatMap((text) => id(text, LONGEST_CUSTOM_ID) ?? []);
  return [...new Set(ids)].slice(0, MOST_IDS);
}

function present<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}

function fromAddress(search: string): Source {
  const params = new URLSearchParams(search);
  const tracking: SourceTracking = present({
    external_uuid: id(params.get('external_uuid')),
    ...Object.fromEntries(WORDS.map((name) => [name, word(params.get(name))])),
  });
  const ids = customIds(params);
  return present({
    source_tracking: Object.keys(tracking).length > 0 ? tracking : undefined,
    affiliate_uuid: id(params.get('affiliate_uuid')),
    affiliate_request_uuid: id(params.get('affiliate_request_uuid')),
    custom_ids: ids.length > 0 ? ids : undefined,
  });
}

// Where the browser refuses to store, the source lives as long as the page.
let remembered: Source = {};

/** Where this visitor came from: what the address says, else what it said earlier in this tab. */
export function readSource(search: string = window.location.search): Source {
  const found = fromAddress(search);
  if (Object.keys(found).length === 0) {
    const stored = readStored<unknown>(KEY, 'session');
    return typeof stored === 'object' && stored !== null ? (stored as Source) : remembered;
  }
  remembered = writeStored(KEY, found, 'session') ? {} : found;
  return found;
}

/** How many requests one quote may answer: as its product counts (part 3 of the specification). */
function mostRequests({ multi }: SerializedProduct, entries: AffiliateEntries[]): number {
  return Math.max(1, ...entries.map(({ dataset, more }) => (multi[dataset]?.length ?? 0) + more));
}

/** The source as it goes with one product: no more custom ids than there is to cover. */
export function sentSource(
  source: Source,
  product: SerializedProduct,
  entries: AffiliateEntries[],
): SentSource {
  const { custom_ids: ids, ...rest } = source;
  if (!Array.isArray(ids) || ids.length === 0) return rest;
  const request: Record<string, string> = rest.affiliate_request_uuid
    ? { affiliate_request_uuid: rest.affiliate_request_uuid }
    : {};
  // `fromEntries` makes a name of any id, `__proto__` too.
  const requests = Object.fromEntries(
    ids.slice(0, mostRequests(product, entries)).map((customId) => [customId, request]),
  );
  return { ...rest, affiliate_extra: { multiple: true, requests } };
}
