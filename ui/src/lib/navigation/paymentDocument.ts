// The server gives the pages under /payment a content policy of their own
// (src/api/http/headers.rs). That policy allows only our scripts and the gateway's frames. So the
// payment pages need a document of their own, and no other page is shown in that document.

const PAYMENT_PATH = /^\/payment(\/|$)/;

let isPaymentPage = false;
let namedGateway: string | null = null;

/**
 * Records whether the server sent this document as a payment page, and for which gateway. Must run
 * before the first navigation.
 */
export function recordDocument(): void {
  const { pathname, search } = window.location;
  isPaymentPage = PAYMENT_PATH.test(pathname);
  namedGateway = new URLSearchParams(search).get('gateway');
}

/** Checks whether this document was loaded as a payment page. */
export const isPaymentDocument = () => isPaymentPage;

/** Checks whether a page, by its pattern, needs a new document. */
export const needsOwnDocument = (pattern: string) => PAYMENT_PATH.test(pattern) !== isPaymentPage;

/**
 * Checks whether this document's address named the gateway. The content policy then allows the
 * gateway's frames.
 */
export const permitsGateway = (gateway: string) => gateway === namedGateway;
