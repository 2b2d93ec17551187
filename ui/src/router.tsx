import { LoginDialogHost } from './features/account/login/LoginDialogHost';
import { Layout } from './layout/Layout';
import { createPageRouter, type PageRoute } from './layout/router/PageRouter';
import { PATTERNS, type PageName } from './lib/routes/paths';

const guards = ['uuid'] as const;

const PAGES: Record<PageName, Omit<PageRoute, 'path'>> = {
  home: { load: () => import('./pages/Home') },
  brokenDown: { load: () => import('./pages/BrokenDown') },
  help: { load: () => import('./pages/Help') },
  front: { load: () => import('./pages/Breakdown') },
  cover: { load: () => import('./pages/quote/Cover'), guards: ['product'] },
  dashboard: { load: () => import('./pages/account/Dashboard') },
  portal: { load: () => import('./pages/account/Portal') },
  retrievePassword: { load: () => import('./pages/account/RetrievePassword') },
  resetPassword: { load: () => import('./pages/account/ResetPassword') },
  confirmEmail: { load: () => import('./pages/account/ConfirmEmail') },
  payment: { load: () => import('./pages/payment/Payment'), guards },
  paymentProcessing: {
    load: () => import('./pages/payment/PaymentProcessing'),
    guards,
  },
  paymentSuccess: { load: () => import('./pages/payment/PaymentSuccess'), guards },
  paymentFailure: { load: () => import('./pages/payment/PaymentFailure'), guards },
  policyView: { load: () => import('./pages/PolicyView'), guards },
  quoteEdit: { load: () => import('./pages/quote/QuoteEdit'), guards },
  aggregator: { load: () => import('./pages/quote/Aggregator') },
};

const ROUTES = Object.entries(PATTERNS).map(([name, path]) => ({
  path,
  ...PAGES[name as PageName],
}));

/** Creates the router with the website's pages at their addresses. */
export const createRouter = () =>
  createPageRouter(ROUTES, <Layout dialogs={<LoginDialogHost />} />);
