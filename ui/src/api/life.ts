import type { components } from './schema.gen';
import type { Narrow, Nulled, QuoteRead, SerializedProduct } from './types';

// What the server says of a policy's life, told more exactly than its document can.

type Wire = components['schemas'];

/** What may be done with a policy. */
export type PolicyAction = Exclude<keyof Wire['PolicyCan'], 'view'>;

export type MoneyLine = Wire['AmountLine'];

/** Money on its way back to the card; `none` where nothing comes back. */
export type Refund = Narrow<
  Wire['RefundInfo'],
  { status: 'none' | 'pending' | 'paid' | 'refused' }
>;

/** A cancellation: worked out only (`preview`), with its refund under way, or done. */
export type Activity = Narrow<
  Nulled<Wire['ActivityInfo']>,
  { status: 'preview' | 'pending' | 'done'; refund: Refund }
>;

/** The next year's quote, as its policy names it; without a price where it isn't offered. */
export type PolicyRenewal = Nulled<Wire['RenewalInfo']>;

/** What a quote became once it was bought. */
export type PolicyTerm = Narrow<
  Nulled<Wire['PolicyInfo']>,
  {
    why_not: Partial<Record<PolicyAction, string>>;
    cancellation: Activity | null;
    renewal: PolicyRenewal | null;
  }
>;

export type PolicyRead = Omit<QuoteRead, 'policy'> & { policy?: PolicyTerm };

/** The same quote is renewed for another price; the lines lead from last year's to this year's. */
export type Renewal = Nulled<Wire['RenewalComparison']>;

/** A change of a live policy: worked out, agreed to, or too late. Amounts in pounds. */
export type Adjustment = Narrow<
  Nulled<Wire['AdjustmentInfo']>,
  {
    kind: 'keep' | 'increase' | 'decrease';
    status: 'pending' | 'applied' | 'expired' | 'superseded';
    changes: Nulled<Wire['ChangedAnswer']>[];
  }
>;

/** Only what changes; null clears an answer. */
export type ChangedProduct = SerializedProduct;

/** What a change that must not move the price came to. */
export type PriceKept = Wire['PriceKept'];

export type NotTakenUp = Wire['NotTakenUp'];

export type PolicyDocument = Nulled<Wire['DocumentItem']>;

export type DocumentGroup = Narrow<Wire['DocumentGroup'], { documents: PolicyDocument[] }>;

export type PolicyDocuments = Narrow<Wire['PolicyDocuments'], { documents: DocumentGroup[] }>;
