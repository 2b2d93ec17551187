import type { components } from './schema.gen';

type Wire = components['schemas'];

/** A row of the policy, quote and renewal lists. */
export interface ListItem {
  policy_uuid: string;
  custom_id: string;
  product_short_title: string;
  status_id: number;
  status_title: string;
  holder_name: string | null;
  /** Timestamps. */
  date_created: string;
  date_quote_expiry: string | null;
  /** Plain dates. */
  date_inception: string | null;
  date_expiry: string | null;
  amount_total: number | null;
  currency: string;
}

/** One page of a list. Pages count from 1 here. */
export interface ListPage {
  data: ListItem[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
}

export type ListedProduct = Wire['ProductListItem'];
export type ListedStatus = Wire['StatusTitle'];
