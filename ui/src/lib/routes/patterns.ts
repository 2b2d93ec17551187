import { FRONT_PRODUCT } from './products';

// The pattern of every page, for the router and for links. tests/fixtures/pages.json holds the same
// patterns, and the server's tests read that file too.

export const PATTERNS = {
  home: '/',
  brokenDown: '/broken-down',
  help: '/help',
  front: `/${FRONT_PRODUCT}/:cover?`,
  cover: '/cover/:product',
  dashboard: '/dashboard',
  portal: '/portal',
  retrievePassword: '/retrieve-password',
  resetPassword: '/reset-password',
  confirmEmail: '/confirm-email',
  payment: '/payment/:id?',
  paymentProcessing: '/payment/processing/:id?',
  paymentSuccess: '/payment/success/:id?',
  paymentFailure: '/payment/failure/:id?',
  policyView: '/policy/view/:id?',
  quoteEdit: '/quote/edit/:id?',
  aggregator: '/aggregator/:id?',
} as const;

export type PageName = keyof typeof PATTERNS;
