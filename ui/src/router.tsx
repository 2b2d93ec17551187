import { LoginDialogHost } from './features/account/login/LoginDialogHost';
import { Layout } from './layout/Layout';
import { createPageRouter, type PageRoute } from './layout/router/PageRouter';
import { PATTERNS, type PageName } from './lib/routes/paths';

const guards = ['uuid'] as const;

const PAGES: Record<PageName, Omit<PageRoute, 'path'>> = {
  home: { load: () => import('./pages/Home') },
  brokenDown: { load: () => import('./pages/BrokenDown') },
  front: { load: () => import('./pages/Breakdown') },
  cover: { load: () => import('./pages/Cover'), guards: ['product'] },
  dashboard: { load: () => import('./pages/Dashboard') },
  portal: { load: () => import('./pages/Portal') },
  retrievePassword: { load: () => import('./pages/RetrievePassword') },
  resetPassword: { load: () => import('./pages/ResetPassword') },
  confirmEmail: { load: () => import('./pages/ConfirmEmail') },
  payment: { load: () => import('./pages/Payment'), guards },
  paymentProcessing: {
    load: () => import('./pages/PaymentProcessing'),
    guards,
  },
  paymentSuccess: { load: () => import('./pages/PaymentSuccess'), guards },
  paymentFailure: { load: () => import('./pages/PaymentFailure'), guards },
  policyView: { load: () => import('./pages/PolicyView'), guards },
  quoteEdit: { load: () => import('./pages/QuoteEdit'), guards },
  aggregator: { load: () => import('./pages/Aggregator') },
};

const ROUTES = Object.entries(PATTERNS).map(([name, path]) => ({
  path,
  ...PAGES[name as PageName],
}));

/** The website's pages at their addresses. */
export const createRouter = () =>
  createPageRouter(ROUTES, <Layout dialogs={<LoginDialogHost />} />);
