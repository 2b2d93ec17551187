import type { ListItem } from '../../../api/types';
import type { Answer, Call } from '../../../testing/server';

export const DAY = 24 * 60 * 60 * 1000;

export const daysFromNow = (days: number) => new Date(Date.now() + days * DAY).toISOString();

const uuid = (n: number) => `0190f3a1-0000-7000-8000-${String(n).padStart(12, '0')}`;

const TITLES: Record<number, string> = {
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
    status_id: status,
    status_title: TITLES[status] ?? 'Other',
    holder_name: `Holder ${n}`,
    date_created: daysFromNow(-3),
    date_inception: '2026-11-22',
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
  user_uuid: '0190f3a1-0000-7000-8000-0000000000aa',
  user_username: 'ann@example.com',
  email_primary: 'ann@example.com',
  first_name: 'Ann',
  last_name: 'Example',
};

const SITE = {
  brand: 'Layby',
  phone: '0330 123 4567',
  assistance_phone: '0800 555 0199',
  email: 'help@example.com',
  hours: '9am to 5pm Monday to Friday',
  links: {},
  sign_on: '/dashboard',
};

const PRODUCTS = [
  { identifier: 'breakdown', product_title: 'Vehicle breakdown cover' },
  { identifier: 'gadget', product_title: 'Gadget cover' },
];

export const query = (path: string) => new URLSearchParams(path.split('?')[1] ?? '');

export const isList = (path: string) => path.startsWith('/api/v2/policy/list?');

/** The query of each call for the list. */
export const asked = (calls: Call[]) =>
  calls.filter((call) => isList(call.path)).map((call) => query(call.path));

function page(items: ListItem[], path: string) {
  const wish = query(path);
  const statuses = wish.getAll('quoteStatus[]').map(Number);
  const holder = (wish.get('policyHolder') ?? '').toLowerCase();
  const found = items
    .filter((item) => statuses.includes(item.status_id))
    .filter((item) => item.holder_name.toLowerCase().includes(holder))
    .filter((item) => item.custom_id.includes(wish.get('policyID') ?? ''));
  if (wish.get('desc') === 'true') found.reverse();
  const limit = Number(wish.get('limit'));
  const number = Math.max(1, Number(wish.get('page')));
  return {
    data: found.slice((number - 1) * limit, number * limit),
    current_page: number,
    per_page: limit,
    total: found.length,
    last_page: Math.max(1, Math.ceil(found.length / limit)),
  };
}

/** A server on which Ann is logged in. `items` is called anew for every call of the list. */
export function account(items: () => ListItem[], profile: unknown = ANN): Answer {
  return ({ path }) => {
    if (path === '/api/v1/site') return { status: 200, body: { data: SITE } };
    if (path === '/api/v1/profile') return { status: 200, body: profile };
    if (path === '/api/v2/product/list') return { status: 200, body: PRODUCTS };
    if (path === '/api/v1/quote/statuses') {
      const data = Object.entries(TITLES).map(([id, status_title]) => ({
        status_id: Number(id),
        status_title,
      }));
      return { status: 200, body: { data } };
    }
    if (isList(path)) return { status: 200, body: page(items(), path) };
    return undefined;
  };
}
