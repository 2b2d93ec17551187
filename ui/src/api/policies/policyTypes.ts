import type { QuoteRead, SerializedProduct, Wire } from '../types';

// The website's names for the API's types of a policy.

export type PolicyAction = Exclude<keyof Wire['PolicyCan'], 'view'>;

export type MoneyLine = Wire['AmountLine'];

/** A refund; `none` if there is none. */
export type Refund = Wire['RefundInfo'];

/** A cancellation: a `preview`, pending, done or withdrawn. */
export type Activity = Wire['ActivityInfo'];

/** The quote for the next year; without a price if none is offered. */
export type PolicyRenewal = Wire['RenewalInfo'];

/** The policy that a quote became. */
export type PolicyTerm = Wire['PolicyInfo'];

export type PolicyRead = QuoteRead;

/** The renewal at another price. The lines lead from the current price to the next year's. */
export type Renewal = Wire['RenewalComparison'];

/** Days, both ends included, as `yyyy-MM-dd`. */
export type DayRange = Wire['DayRange'];

/**
 * A change of a live policy: priced, agreed for its day, applied or withdrawn. Amounts in pounds.
 */
export type Adjustment = Wire['AdjustmentInfo'];

/** Only changed answers; null clears one. */
export type ChangedProduct = SerializedProduct;

/** The price of a change, for a preview. */
export type ChangePrice = Wire['ChangePrice'];

/** The result of a change that must not change the price. */
export type PriceKept = Wire['PriceKept'];

export type NotTakenUp = Wire['NotTakenUp'];

export type PolicyDocument = Wire['DocumentItem'];
export type DocumentGroup = Wire['DocumentGroup'];
export type PolicyDocuments = Wire['PolicyDocuments'];
