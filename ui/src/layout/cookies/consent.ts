import { createSignal } from '../../lib/signal';

/** Whether the footer's "Cookie choices" has opened the banner again, to change the choice. */
export const consentReopened = createSignal(false);
