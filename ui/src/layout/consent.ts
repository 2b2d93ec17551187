import { createSignal } from '../lib/signal';

/** Set by the footer's "Cookie choices", so that a choice is as easy to take back as to make. */
export const consentReopened = createSignal(false);
