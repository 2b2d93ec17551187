/** The text about the effect of an open dispute on refunds. */
export const DISPUTE_NOTE =
  'Your bank is deciding a dispute of a payment for this policy. A refund of that payment waits for the decision. If your bank gives you the money, no refund follows.';
