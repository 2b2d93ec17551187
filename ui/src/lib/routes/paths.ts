import { generatePath, matchPath } from 'react-router';
import { PATTERNS, type PageName } from './patterns';
import { FRONT_PRODUCT } from './products';

export { PATTERNS, type PageName };

/** A section of the dashboard; undefined shows the overview. */
type DashboardTab = 'policies' | 'payments' | 'quotes' | 'renewals';

/** The value of `step` for the last step, whatever its number. */
export const LAST_STEP = 'last';

type EditQuery = {
  step?: string;
  /** The priced change to show instead of the form. */
  adjustment?: string;
  /** The reason for a change, such as an additional vehicle. */
  task?: string;
  /** Fills a move with the address of the account. */
  address?: 'account';
};

export type PaymentQuery = {
  /** The chosen gateway. The server gives the page that gateway's content policy. */
  gateway?: string;
  /** Whether the id is a change's. */
  change?: '1';
  /** Whether the payment was started on the page before. */
  started?: '1';
  /** Whether the id is a policy's, and which payments of its plan are paid. */
  plan?: 'due' | 'rest';
  /** Whether the later payments of the plan are charged to this card. */
  keep?: '1';
};

/** Adds a query to a path, without its undefined values. */
function withQuery(path: string, query: URLSearchParams | Record<string, string | undefined>) {
  const entries = query instanceof URLSearchParams ? [...query] : Object.entries(query);
  const params = entries.flatMap(([name, word]) => (word === undefined ? [] : [[name, word]]));
  const queryText = new URLSearchParams(params).toString();
  return queryText === '' ? path : `${path}?${queryText}`;
}

/** Addresses of our own pages. `id` is the uuid of a quote, a policy or, for payments, a change or an attempt. */
export const paths = {
  home: () => PATTERNS.home,
  brokenDown: () => PATTERNS.brokenDown,
  help: () => PATTERNS.help,
  /** The start of a quote for a product. */
  start: (product: string) =>
    product === FRONT_PRODUCT ? PATTERNS.home : generatePath(PATTERNS.cover, { product }),
  dashboard: (tab?: DashboardTab) => withQuery(PATTERNS.dashboard, { tab }),
  portal: () => PATTERNS.portal,
  retrievePassword: () => PATTERNS.retrievePassword,
  payment: (id: string, query: PaymentQuery = {}) =>
    withQuery(generatePath(PATTERNS.payment, { id }), query),
  paymentProcessing: (id: string) => generatePath(PATTERNS.paymentProcessing, { id }),
  paymentSuccess: (id: string, ofPlan = false) =>
    withQuery(generatePath(PATTERNS.paymentSuccess, { id }), { plan: ofPlan ? '1' : undefined }),
  paymentFailure: (id: string) => generatePath(PATTERNS.paymentFailure, { id }),
  policyView: (id: string, part?: 'documents' | 'renewal' | 'payments') =>
    `${generatePath(PATTERNS.policyView, { id })}${part ? `#${part}` : ''}`,
  quoteEdit: (id: string, query: EditQuery | URLSearchParams = {}) =>
    withQuery(generatePath(PATTERNS.quoteEdit, { id }), query),
};

/** Checks whether a path, without its query, is the path of one of these pages. */
export function isPage(pathname: string, ...names: PageName[]): boolean {
  return names.some((name) => matchPath(PATTERNS[name], pathname) !== null);
}
