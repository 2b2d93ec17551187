import type { components } from '../schema.gen';
import type { QuoteRead, SerializedProduct } from '../types';

// The website's names for what the server says of a policy's life.

type Wire = components['schemas'];

/** What may be done with a policy. */
export type PolicyAction = Exclude<keyof Wire['PolicyCan'], 'view'>;

export type MoneyLine = Wire['AmountLine'];

/** Money on its way back to the card; `none` where nothing comes back. */
export type Refund = Wire['RefundInfo'];

/** A cancellation: worked out only (`preview`), pending until its day, done, or given up. */
export type Activity = Wire['ActivityInfo'];

/** The next year's quote, as its policy names it; without a price where it isn't offered. */
export type PolicyRenewal = Wire['RenewalInfo'];

/** What a quote became once it was bought. */
export type PolicyTerm = Wire['PolicyInfo'];

export type PolicyRead = QuoteRead;

/**
 * The same quote is renewed for another price; the lines lead from the current cover's to the next
 * year's.
 */
export type Renewal = Wire['RenewalComparison'];

/** Days, both ends included, as `yyyy-MM-dd`. */
export type DayRange = Wire['DayRange'];

/** A change of a live policy: worked out, agreed for its day, made, or given up. Amounts in pounds. */
export type Adjustment = Wire['AdjustmentInfo'];

/** Only what changes; null clears an answer. */
export type ChangedProduct = SerializedProduct;

/** What a change would cost, while it is typed. */
export type ChangePrice = Wire['ChangePrice'];

/** What a change that must not move the price came to. */
export type PriceKept = Wire['PriceKept'];

export type NotTakenUp = Wire['NotTakenUp'];

export type PolicyDocument = Wire['DocumentItem'];
export type DocumentGroup = Wire['DocumentGroup'];
export type PolicyDocuments = Wire['PolicyDocuments'];
