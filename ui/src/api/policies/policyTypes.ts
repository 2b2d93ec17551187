import type { QuoteRead, SerializedProduct, Wire } from '../types';

// The website's names for the API's types of a policy.

export type PolicyAction = Exclude<keyof Wire['PolicyCan'], 'view'>;

export type MoneyLine = Wire['AmountLine'];

/** A refund. The status `none` means that no refund has been ordered. */
export type Refund = Wire['RefundInfo'];

/** A cancellation, or the preview of a cancellation. */
export type Activity = Wire['ActivityInfo'];

/** The quote for the next year. The price is null while the quote has no price. */
export type PolicyRenewal = Wire['RenewalInfo'];

/** The policy that a quote became. */
export type PolicyTerm = Wire['PolicyInfo'];

export type PolicyRead = QuoteRead;

/** The plan of a policy that is paid monthly. */
export type PolicyPlan = Wire['PolicyPlan'];

/**
 * The prices of a renewal and of the current cover. The amounts of `differences` add up to the
 * difference of the two prices.
 */
export type Renewal = Wire['RenewalComparison'];

/** Days, both ends included, as `yyyy-MM-dd`. */
export type DayRange = Wire['DayRange'];

/** A change of a policy, with its status. Amounts are in pounds. */
export type Adjustment = Wire['AdjustmentInfo'];

/** The changed answers alone. Null clears an answer. */
export type ChangedProduct = SerializedProduct;

/** The price of a change, for a preview. */
export type ChangePrice = Wire['ChangePrice'];

/** The result of a change that must not change the price. */
export type PriceKept = Wire['PriceKept'];

export type NotTakenUp = Wire['NotTakenUp'];

export type PolicyDocument = Wire['DocumentItem'];
export type DocumentGroup = Wire['DocumentGroup'];
export type PolicyDocuments = Wire['PolicyDocuments'];
