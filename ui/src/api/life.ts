// Written by hand: what the server says of a policy's life that `docs/openapi.json` does not have
// yet. To be replaced by the generated shapes, with `types.ts` naming them, once it has.

import type { QuoteRead, SerializedProduct } from './types';

/** What may be done with a policy; a server that doesn't name a thing yet doesn't allow it. */
export type PolicyAction = 'change' | 'cancel' | 'not_take_up' | 'renew' | 'auto_renew';

export interface MoneyLine {
  code: string;
  label: string;
  /** Pounds. */
  amount: number;
}

/** Money on its way back to the card; `none` where nothing comes back. */
export interface Refund {
  /** Pounds. */
  amount: number;
  lines: MoneyLine[];
  status: 'none' | 'pending' | 'paid' | 'refused';
}

/** A cancellation: worked out only (`preview`), with its refund under way, or done. */
export interface Activity {
  id: string | null;
  type: string;
  status: 'preview' | 'pending' | 'done';
  reason_id: number | null;
  reason: string | null;
  note: string | null;
  /** yyyy-MM-dd */
  effective_date: string;
  /** RFC 3339 */
  created: string | null;
  refund: Refund;
}

/** The next year's quote, as its policy names it. Prices in pounds, dates yyyy-MM-dd. */
export interface PolicyRenewal {
  quote_uuid: string;
  reference: string;
  status_id: number;
  price: number;
  price_last_year: number;
  price_new_customer: number;
  starts: string;
  holds_until: string;
  /** Null unless it renews by itself. */
  charge_on: string | null;
}

/** What a quote became once it was bought. */
export interface PolicyTerm {
  inception: string;
  expiry: string;
  cover_begins: string;
  auto_renew: boolean;
  /** Pounds. */
  paid: number;
  purchased: string;
  can: Partial<Record<PolicyAction, boolean>>;
  why_not?: Partial<Record<PolicyAction, string>>;
  /** Fields a change may not touch: a name, or `dataset.field` in a repeatable dataset. */
  locked?: string[];
  card_stored?: boolean;
  cancellation?: Activity | null;
  renewal?: PolicyRenewal | null;
  renewed_by?: string | null;
  renews?: string | null;
}

export type PolicyRead = Omit<QuoteRead, 'policy'> & { policy?: PolicyTerm };

/** The same quote is renewed for another price; the lines lead from last year's to this year's. */
export interface Renewal {
  policy_uuid: string;
  reference: string;
  price_last_year: number;
  price: number;
  price_new_customer: number;
  differences: { label: string; amount: number }[];
  starts: string;
  last_day: string;
  auto_renew: boolean;
  charge_on: string | null;
  compare_text: string | null;
}

/** A change of a live policy: worked out, agreed to, or too late. Amounts in pounds. */
export interface Adjustment {
  adjustment_id: string;
  kind: 'keep' | 'increase' | 'decrease';
  status: 'pending' | 'applied' | 'expired' | 'superseded';
  effective_date: string;
  premium_before: number;
  premium_after: number;
  /** Positive: due today. Negative: comes back. */
  amount_now: number;
  tax_now: number;
  days_left: number;
  days_in_term: number;
  /** RFC 3339 */
  expires: string;
  lines: MoneyLine[];
  changes: { path: string; label: string; before: string | null; after: string | null }[];
  created?: string | null;
  applied?: string | null;
  revision?: number | null;
}

/** Only what changes; null clears an answer. */
export type ChangedProduct = SerializedProduct;

/** What a change that must not move the price came to. */
export interface PriceKept {
  success: 0 | 1;
  errors: Record<string, string[]>;
}

export interface NotTakenUp {
  refund: { amount: number; lines: MoneyLine[] };
  status_id: number;
}

export interface PolicyDocument {
  identifier: string;
  title: string;
  is_ready: boolean;
  date?: string | null;
}

export interface DocumentGroup {
  title: string;
  documents: PolicyDocument[];
}

export interface PolicyDocuments {
  documents: DocumentGroup[];
  revisions: Record<string, { date_revision: string }>;
  external: { title: string; url: string }[];
}

/** What a payment's answer gains: what it pays for, where that is a change of a policy. */
export interface PaidFor {
  adjustment_uuid?: string | null;
  policy_uuid?: string | null;
}
