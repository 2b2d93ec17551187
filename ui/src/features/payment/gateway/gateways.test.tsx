import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forId, refuse, type Server, sent } from '../../../api/testing';
import type { Payment, PaymentStarted } from '../../../api/types';
import { forgetToken, saveToken } from '../../../lib/storage/tokens';
import { savedQuote, siteWith, UUID } from '../../../testing/data';
import { serve, show } from '../../../testing/server';
import { PayScreen } from '../pay/PayScreen';
import { FailureScreen } from '../result/FailureScreen';
import { ProcessingScreen } from '../result/ProcessingScreen';
import { FORM_MS } from './GatewayRedirect';

const INITIATE = 'POST /api/v1/gateway/{provider}/initiate';

const EXTERNAL_PAGE: PaymentStarted = {
  payment_id: '0197f3c2-0000-7000-8000-000000000031',
  kind: 'redirect',
  url: 'https://pay.example/c/pay/cs_1?key=7',
  method: 'GET',
  fields: {},
  resumed: false,
  earlier_processing: false,
};

const OPEN: Payment = {
  payment_id: EXTERNAL_PAGE.payment_id,
  status: 'pending',
  amount: 48.16,
  quote_uuid: UUID,
  policy_uuid: null,
  adjustment_uuid: null,
  pays_plan: false,
  custom_id: 'BRK100000001',
  message: null,
  charged: null,
  unresolved: null,
  reversed: false,
  refund: 'none',
  refund_reason: null,
  policy: false,
};

const flags = { buyable: true, accepted: true, renewal_quote: false, policy: false };

/** Starts a server that offers these gateways and has an accepted quote. */
function shop(
  providers: string[],
  started: PaymentStarted = EXTERNAL_PAGE,
  payment = OPEN,
  more: Server = {},
) {
  return serve(more, {
    'GET /api/v1/site': () => ({ data: siteWith({ providers }) }),
    'GET /api/v2/public/quote/read/{id}': forId(UUID, () => ({
      data: savedQuote(UUID, 'BRK100000001', { flags }),
    })),
    'GET /api/v1/payment/{id}': forId(UUID, () => ({ data: payment })),
    [INITIATE]: () => ({ data: started }),
  });
}

const pay = (search = '') =>
  show(
    {
      '/payment/:id': <PayScreen uuid={UUID} />,
      '/payment/processing/:id': <p>Waiting page</p>,
      '/payment/success/:id': <p>Thank you</p>,
    },
    `/payment/${UUID}${search}`,
  );

const link = (name: string) => screen.findByRole('link', { name });

beforeEach(() => {
  vi.spyOn(window.location, 'assign').mockImplementation(() => {});
});
afterEach(() => {
  window.history.replaceState(null, '', '/');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("a gateway's own page", () => {
  test('is gone to by a link that keeps its query; no choice is asked for', async () => {
    shop(['stripe']);
    pay();
    expect((await link('Continue to Stripe')).getAttribute('href')).toBe(EXTERNAL_PAGE.url);
    expect(
      screen.getByText('Your card is handled by Stripe. We never see its number.'),
    ).toBeTruthy();
    expect(screen.queryByRole('radio')).toBeNull();
    expect(screen.queryByText(/You started to pay before/)).toBeNull();
  });

  test('that wants to be posted to is posted to, with its fields', async () => {
    const fields = { MERCHANT_ID: 'm', SHA1HASH: 'h' };
    shop(['globalpayments'], { ...EXTERNAL_PAGE, method: 'POST', fields });
    pay();
    const button = await screen.findByRole('button', { name: 'Continue to Global Payments' });
    const form = button.closest('form');
    expect([form?.method.toLowerCase(), form?.action]).toEqual(['post', EXTERNAL_PAGE.url]);
    expect(Object.fromEntries(new FormData(form ?? undefined))).toEqual(fields);
  });

  test('left, can be gone on with; that nothing was paid is not said', async () => {
    shop(['stripe'], { ...EXTERNAL_PAGE, resumed: true });
    pay('?gateway=stripe&left');
    await screen.findByText(
      'You came back from Stripe, and we have had no word of a payment. You can go on paying.',
    );
    await link('Continue to Stripe');
    expect(screen.getByText(/If you need a hand, call/)).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/No charge|nothing was/i);
  });

  test('that has taken a card already is not gone to again', async () => {
    shop(['stripe'], { ...EXTERNAL_PAGE, resumed: true }, { ...OPEN, status: 'processing' });
    pay();
    await userEvent.click(await link('See how it stands'));
    await screen.findByText('Waiting page');
  });
});

describe('an earlier payment', () => {
  const earlier = { ...OPEN, payment_id: '0197f3c2-0000-7000-8000-000000000030' };

  test('that has bought leads to the thanks, also from a newer page', async () => {
    shop(['stripe'], EXTERNAL_PAGE, { ...earlier, status: 'paid', policy: true });
    pay();
    await screen.findByText('Thank you');
  });

  test('that has failed leaves the newer page alone', async () => {
    shop(['stripe'], EXTERNAL_PAGE, { ...earlier, status: 'failed', charged: false });
    pay();
    await link('Continue to Stripe');
  });

  test('whose end is not known is told of beside the newer page', async () => {
    shop(['stripe'], { ...EXTERNAL_PAGE, earlier_processing: true });
    pay();
    await link('Continue to Stripe');
    screen.getByText(/^A payment of yours is still being checked/);
  });
});

test('a signed form that has grown too old is replaced by a new one', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const calls = shop(['smartpayfuse'], { ...EXTERNAL_PAGE, method: 'POST', fields: { a: 'b' } });
  pay();
  await screen.findByRole('button', { name: 'Continue to Barclaycard' });
  await act(() => vi.advanceTimersByTimeAsync(FORM_MS));
  expect(screen.queryByRole('button', { name: 'Continue to Barclaycard' })).toBeNull();
  expect(sent(calls, INITIATE)).toHaveLength(1);
  screen.getByRole('button', { name: 'Start again' }).click();
  await vi.waitFor(() => expect(sent(calls, INITIATE)).toHaveLength(2));
  vi.useRealTimers();
});

describe('of several gateways', () => {
  test('one whose page opens once is not started before its page is shown', async () => {
    const calls = shop(['stripe', 'smartpayfuse']);
    pay();
    await userEvent.click(await screen.findByRole('radio', { name: 'Barclaycard' }));
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(window.location.assign).toHaveBeenCalledWith(`/payment/${UUID}?gateway=smartpayfuse`);
    expect(sent(calls, INITIATE)).toEqual([]);
  });

  test('one is chosen by name, the first beforehand, and its page is gone to at once', async () => {
    const calls = shop(['stripe', 'globalpayments']);
    pay();
    const choice = await screen.findByRole('group', { name: 'How would you like to pay?' });
    const names = within(choice).getAllByRole<HTMLInputElement>('radio');
    expect(names.map((radio) => [radio.labels?.[0]?.textContent, radio.checked])).toEqual([
      ['Stripe', true],
      ['Global Payments', false],
    ]);
    expect(sent(calls, INITIATE)).toEqual([]);
    await userEvent.click(within(choice).getByRole('radio', { name: 'Global Payments' }));
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await vi.waitFor(() => expect(window.location.assign).toHaveBeenCalledWith(EXTERNAL_PAGE.url));
    expect(sent(calls, INITIATE).map(({ params }) => params)).toEqual([
      { provider: 'globalpayments' },
    ]);
    // The Back button leads to our page with the chosen gateway.
    expect(`${window.location.pathname}${window.location.search}`).toBe(
      `/payment/${UUID}?gateway=globalpayments`,
    );
  });

  test('one with a frame is opened in a document of its own', async () => {
    shop(['stripe', 'sandbox'], { ...EXTERNAL_PAGE, kind: 'iframe', url: 'about:blank' });
    pay();
    await userEvent.click(await screen.findByRole('radio', { name: 'Test gateway' }));
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await vi.waitFor(() =>
      expect(window.location.assign).toHaveBeenCalledWith(
        `/payment/${UUID}?gateway=sandbox&started=1`,
      ),
    );
  });

  test('the chosen one is shown, with the way to another', async () => {
    shop(['stripe', 'globalpayments'], { ...EXTERNAL_PAGE, resumed: true });
    pay('?gateway=globalpayments');
    await screen.findByText(/You can go on paying, or pay another way\.$/);
    await link('Continue to Global Payments');
    await userEvent.click(await link('Pay another way'));
    await screen.findByRole('group', { name: 'How would you like to pay?' });
  });

  test('one that cannot be reached says so, and another can be chosen', async () => {
    shop(['stripe', 'globalpayments'], EXTERNAL_PAGE, OPEN, {
      [INITIATE]: forId('stripe', () => refuse(503, 'We are busy for a moment. Please try again.')),
    });
    pay();
    await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('We are busy for a moment. Please try again.');
    await userEvent.click(screen.getByRole('radio', { name: 'Global Payments' }));
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await vi.waitFor(() => expect(window.location.assign).toHaveBeenCalled());
  });
});

test('a gateway that refuses for good names the telephone number and the other ways to pay', async () => {
  const reason = "You can't pay this way at the moment. Please call us on 0330 123 4567.";
  shop(['stripe', 'globalpayments'], EXTERNAL_PAGE, OPEN, {
    [INITIATE]: () => refuse(409, reason, { code: 'gateway_refused' }),
  });
  pay('?gateway=stripe');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain(reason);
  expect(within(alert).getByRole('link', { name: '0330 123 4567' })).toBeTruthy();
  const other = within(alert).getByRole('link', { name: 'Pay with Global Payments' });
  expect(other.getAttribute('href')).toBe(`/payment/${UUID}?gateway=globalpayments`);
  expect(within(alert).queryByRole('link', { name: /Stripe/ })).toBeNull();
  expect(within(alert).queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('a gateway that does not answer can be tried again, and the others are named', async () => {
  shop(['stripe', 'globalpayments'], EXTERNAL_PAGE, OPEN, {
    [INITIATE]: () => refuse(503, 'We are busy for a moment. Please try again.'),
  });
  pay('?gateway=stripe');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('We are busy for a moment. Please try again.');
  expect(within(alert).getByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(within(alert).getByRole('link', { name: 'Pay with Global Payments' })).toBeTruthy();
});

describe("a gateway's frame has a document whose policy permits it:", () => {
  test('a link to another gateway loads the page again', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
    const calls = shop(['stripe', 'globalpayments'], EXTERNAL_PAGE, OPEN, {
      [INITIATE]: forId('stripe', () => refuse(409, 'Refused', { code: 'gateway_refused' })),
    });
    pay('?gateway=stripe');
    await link('Pay with Global Payments');
    expect(reload).not.toHaveBeenCalled();
    await userEvent.click(await link('Pay with Global Payments'));
    await vi.waitFor(() => expect(reload).toHaveBeenCalled());
    expect(window.location.search).toBe('?gateway=globalpayments');
    expect(sent(calls, INITIATE).map(({ params }) => params)).toEqual([{ provider: 'stripe' }]);
  });

  test("in a browser that stores nothing, the quote's token goes with it", async () => {
    const refuses = () => {
      throw new Error('no storage here');
    };
    vi.stubGlobal('localStorage', { getItem: refuses, setItem: refuses, removeItem: refuses });
    saveToken(UUID, 'secret');
    shop(['stripe', 'smartpayfuse']);
    pay();
    await userEvent.click(await screen.findByRole('radio', { name: 'Barclaycard' }));
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(window.location.assign).toHaveBeenCalledWith(
      `/payment/${UUID}?gateway=smartpayfuse#token=secret`,
    );
    forgetToken(UUID);
  });
});

test('without any gateway the page says so with the telephone number, and waits for nothing', async () => {
  const calls = shop([]);
  pay();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain("We can't take payments online at the moment.");
  expect(within(alert).getByRole('link', { name: '0330 123 4567' })).toBeTruthy();
  expect(screen.queryByText(/Opening/)).toBeNull();
  expect(sent(calls, INITIATE)).toEqual([]);
});

describe('the page that waits', () => {
  const wait = () =>
    show(
      { '/payment/processing/:id': <ProcessingScreen uuid={UUID} />, '/payment/:id': <p>Pay</p> },
      `/payment/processing/${UUID}`,
    );

  test('says that it asks, and after a while shows the way back to the payment', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    shop(['stripe']);
    wait();
    await screen.findByText(/^We are asking whether your payment has arrived\./);
    expect(screen.queryByRole('link', { name: 'go on paying' })).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(screen.getByRole('link', { name: 'go on paying' }).getAttribute('href')).toBe(
      `/payment/${UUID}`,
    );
    vi.useRealTimers();
  });

  test('tells a browser that forgot the payment where to see how it stands', async () => {
    shop(['stripe'], EXTERNAL_PAGE, OPEN, {
      'GET /api/v1/payment/{id}': () => refuse(401, 'Nobody'),
    });
    wait();
    await screen.findByRole('heading', { name: "We can't show this payment here" });
    expect(screen.getByText(/open the link in our email with your quote, or log in/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: /new quote|Try again/ })).toBeNull();
  });
});

test('of a payment whose end nobody knows it is said what happens next, and nothing is promised', async () => {
  shop(['stripe'], EXTERNAL_PAGE, { ...OPEN, status: 'failed', charged: null });
  show({ '/payment/failure/:id': <FailureScreen uuid={UUID} /> }, `/payment/failure/${UUID}`);
  await screen.findByRole('heading', { name: "We don't know yet how your payment ended" });
  expect(screen.getByText("We don't know yet whether your card was charged.")).toBeTruthy();
  expect(
    screen.getByText(
      'We could not find out by ourselves. Please call us before you pay a second time.',
    ),
  ).toBeTruthy();
  const call = await screen.findByText(/^Call .* and we will help you/);
  expect(within(call).getByRole('link', { name: '0330 123 4567' })).toBeTruthy();
  expect(
    screen.getByText(/^If the payment went through.*or the money goes back to your card\.$/),
  ).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/go on asking|close this page/);
  expect(document.body.textContent).not.toMatch(/No charge|did not go through/);
  expect(screen.queryByRole('link', { name: 'Try again' })).toBeNull();
});
