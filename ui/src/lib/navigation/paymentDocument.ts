// The pages under /payment are loaded whole: the server gives them a policy of their own, under which
// no script but ours runs and no frame but the gateway's is shown (src/api/headers.rs). So a page of
// theirs is never shown in a document that was loaded as another page, nor the other way round.

const PAYMENT_PATH = /^\/payment(\/|$)/;

let isPaymentPage = false;

/** Keeps as which kind of page the server sent this document; called once, when it begins. */
export function recordDocument(): void {
  isPaymentPage = PAYMENT_PATH.test(window.location.pathname);
}

/** Whether this document was loaded as a page on which somebody pays. */
export const isPaymentDocument = () => isPaymentPage;

/** Whether a page, by its pattern, needs a document that is loaded for it. */
export const needsOwnDocument = (pattern: string) => PAYMENT_PATH.test(pattern) !== isPaymentPage;
