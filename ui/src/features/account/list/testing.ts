import { type Call, type Server, sent } from '../../../api/testing';
import type { ListedProduct, ListItem, ListPage, Profile } from '../../../api/types';
import { profileOf } from '../../../testing/data';

export const DAY = 24 * 60 * 60 * 1000;

export const daysFromNow = (days: number) => new Date(Date.now() + days * DAY).toISOString();

const uuid = (n: number) => `0190f3a1-0000-7000-8000-${String(n).padStart(12, '0')}`;

const TITLES: Record<ListItem['status_id'], string> = {
  1: 'Quote',
  2: 'Draft',
  5: 'Live',
  7: 'Referred',
  8: 'Cancelled',
  9: 'Adjustment draft',
  14: 'Not taken up',
  15: 'Expired',
  16: 'Renewed',
  30: 'Partial',
  31: 'Declined',
  32: 'Lapsed',
};

export function row(n: number, patch: Partial<ListItem> = {}): ListItem {
  const status = patch.status_id ?? 5;
  return {
    policy_uuid: uuid(n),
    custom_id: `LBY${String(n).padStart(6, '0')}`,
    product_short_title: 'Breakdown',
    cover: ['AB12 CDE', 'National cover'],
    status_id: status,
    status_title: TITLES[status],
    holder_name: `Holder ${n}`,
    date_created: daysFromNow(-3),
    date_inception: '2026-11-22',
    cover_begins: status === 5 ? '2026-11-22T00:00:00Z' : null,
    date_quote_expiry: null,
    date_expiry: '2027-11-21',
    amount_total: 40 + n,
    currency: 'GBP',
    ...patch,
  };
}

export const rows = (count: number, patch: Partial<ListItem> = {}) =>
  Array.from({ length: count }, (_, index) => row(index + 1, patch));

export const ANN = {
  ...profileOf(),
  user_uuid: '0190f3a1-0000-7000-8000-0000000000aa',
  user_username: 'ann@example.com',
  email_primary: 'ann@example.com',
  first_name: 'Ann',
  last_name: 'Example',
} satisfies Profile;

const PRODUCTS: ListedProduct[] = [
  { identifier: 'breakdown', product_title: 'Vehicle breakdown cover' },
  { identifier: 'gadget', product_title: 'Gadget cover' },
];

const STATUSES = Object.entries(TITLES).map(([id, status_title]) => ({
  status_id: Number(id) as ListItem['status_id'],
  status_title,
}));

export const listQueries = (calls: Call[]) =>
  sent(calls, 'GET /api/v2/policy/list').map((call) => call.query);

function page(items: ListItem[], query: URLSearchParams): ListPage {
  const statuses = query.getAll('quoteStatus[]').map(Number);
  const holder = (query.get('policyHolder') ?? '').toLowerCase();
  const matches = items
    .filter((item) => statuses.includes(item.status_id))
    .filter((item) => item.holder_name.toLowerCase().includes(holder))
    .filter((item) => item.custom_id.includes(query.get('policyID') ?? ''));
  if (query.get('desc') === 'true') matches.reverse();
  const limit = Number(query.get('limit'));
  const number = Math.max(1, Number(query.get('page')));
  return {
    data: matches.slice((number - 1) * limit, number * limit),
    current_page: number,
    per_page: limit,
    total: matches.length,
    last_page: Math.max(1, Math.ceil(matches.length / limit)),
  };
}

/**
 * Builds a server with Ann's profile and items. The server calls `items` for each read of the list.
 */
export function account(items: (query: URLSearchParams) => ListItem[]): Server {
  return {
    'GET /api/v1/profile': () => ANN,
    'GET /api/v2/product/list': () => PRODUCTS,
    'GET /api/v1/quote/statuses': () => ({ data: STATUSES }),
    'GET /api/v2/policy/list': ({ query }) => page(items(query), query),
  };
}
