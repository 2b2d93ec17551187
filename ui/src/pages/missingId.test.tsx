import { screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sent } from '../api/testing';
import { serve, show } from '../testing/server';
import PolicyView from './PolicyView';
import Payment from './payment/Payment';
import PaymentFailure from './payment/PaymentFailure';
import PaymentProcessing from './payment/PaymentProcessing';
import PaymentSuccess from './payment/PaymentSuccess';
import QuoteEdit from './quote/QuoteEdit';

const ROUTES = {
  '/payment/:id?': <Payment />,
  '/payment/processing/:id?': <PaymentProcessing />,
  '/payment/success/:id?': <PaymentSuccess />,
  '/payment/failure/:id?': <PaymentFailure />,
  '/policy/view/:id?': <PolicyView />,
  '/quote/edit/:id?': <QuoteEdit />,
};

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('an address without an id', () => {
  test.each([
    ['/payment', 'payment'],
    ['/payment/processing', 'payment'],
    ['/payment/success', 'payment'],
    ['/payment/failure', 'payment'],
    ['/policy/view', 'policy'],
    ['/quote/edit', 'quote'],
  ])('%s says that there is no %s to show', async (address, what) => {
    const calls = serve();
    show(ROUTES, address);
    await screen.findByRole('heading', { name: `There is no ${what} to show` });
    expect(
      screen.getByText(`The address you followed doesn't say which ${what} it is about.`),
    ).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Start a quote' }).getAttribute('href')).toBe('/');
    // Every page makes these two calls.
    const usual = [...sent(calls, 'GET /api/v1/site'), ...sent(calls, 'GET /api/v1/profile')];
    expect(calls).toHaveLength(usual.length);
  });
});
