// The server gives some pages a content policy of their own (src/api/http/headers.rs). The policy of the
// pages under /payment allows only our scripts and the gateway's frames. The page for a breakdown may
// ask for the location. So each of the two needs a document of its own, and no other page is shown in
// that document.

const OWN_PATH = /^\/(payment|broken-down)(\/|$)/;

let own: string | undefined;
let namedGateway: string | null = null;

/** Returns the first part of a path whose pages have their own content policy. */
const ownPart = (path: string) => OWN_PATH.exec(path)?.[1];

/**
 * Records whether the server sent this document with a content policy of its own, and for which
 * gateway. Must run before the first navigation.
 */
export function recordDocument(): void {
  const { pathname, search } = window.location;
  own = ownPart(pathname);
  namedGateway = new URLSearchParams(search).get('gateway');
}

/** Checks whether this document was loaded as a payment page. */
export const isPaymentDocument = () => own === 'payment';

/** Checks whether this document has a content policy of its own, which allows no tag manager. */
export const isOwnDocument = () => own !== undefined;

/** Checks whether a page, by its pattern, needs a new document. */
export const needsOwnDocument = (pattern: string) => ownPart(pattern) !== own;

/**
 * Checks whether this document's address named the gateway. The content policy then allows the
 * gateway's frames.
 */
export const permitsGateway = (gateway: string) => gateway === namedGateway;
