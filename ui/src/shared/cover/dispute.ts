/** The effect of an open dispute on each refund of a page. */
export const DISPUTE_NOTE =
  'Your bank is deciding a dispute of a payment for this policy. A refund of that payment waits for the decision. If your bank gives you the money, no refund follows.';
