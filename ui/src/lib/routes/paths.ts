import { generatePath, matchPath } from 'react-router';
import { PATTERNS, type PageName } from './patterns';
import { FRONT_PRODUCT } from './products';

export { PATTERNS, type PageName };

/** The dashboard's lists; without one it shows its overview. */
type DashboardTab = 'policies' | 'quotes' | 'renewals';

/** The value of `step` that means the last step, whatever its number. */
export const LAST_STEP = 'last';

type EditQuery = {
  step?: string;
  /** The priced change of a policy that is shown instead of the form. */
  adjustment?: string;
  /** What a policy is changed for, such as a vehicle more. */
  task?: string;
};

export type PaymentQuery = {
  /** The gateway that was chosen; the server gives the page that gateway's policy. */
  gateway?: string;
  /** The id is that of a change of a policy. */
  change?: '1';
  /** The payment was begun on the page before. */
  begun?: '1';
};

/** What is undefined in the query is left out. */
function withQuery(path: string, query: URLSearchParams | Record<string, string | undefined>) {
  const entries = query instanceof URLSearchParams ? [...query] : Object.entries(query);
  const params = entries.flatMap(([name, word]) => (word === undefined ? [] : [[name, word]]));
  const queryText = new URLSearchParams(params).toString();
  return queryText === '' ? path : `${path}?${queryText}`;
}

/** Addresses of our own pages. `id` is a quote's, a policy's or, to pay for one, a change's uuid. */
export const paths = {
  home: () => PATTERNS.home,
  brokenDown: () => PATTERNS.brokenDown,
  /** Where a quote for a product begins. */
  start: (product: string) =>
    product === FRONT_PRODUCT ? PATTERNS.home : generatePath(PATTERNS.cover, { product }),
  dashboard: (tab?: DashboardTab) => withQuery(PATTERNS.dashboard, { tab }),
  portal: () => PATTERNS.portal,
  retrievePassword: () => PATTERNS.retrievePassword,
  payment: (id: string, query: PaymentQuery = {}) =>
    withQuery(generatePath(PATTERNS.payment, { id }), query),
  paymentProcessing: (id: string) => generatePath(PATTERNS.paymentProcessing, { id }),
  paymentSuccess: (id: string) => generatePath(PATTERNS.paymentSuccess, { id }),
  paymentFailure: (id: string) => generatePath(PATTERNS.paymentFailure, { id }),
  policyView: (id: string, part?: 'documents' | 'renewal') =>
    `${generatePath(PATTERNS.policyView, { id })}${part ? `#${part}` : ''}`,
  quoteEdit: (id: string, query: EditQuery | URLSearchParams = {}) =>
    withQuery(generatePath(PATTERNS.quoteEdit, { id }), query),
};

/** Whether an address without its query is one of these pages. */
export function isPage(pathname: string, ...names: PageName[]): boolean {
  return names.some((name) => matchPath(PATTERNS[name], pathname) !== null);
}
