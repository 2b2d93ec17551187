import { createSignal } from '../../lib/signal';

/** Whether the footer's "Cookie choices" has opened the banner again. */
export const consentReopened = createSignal(false);
