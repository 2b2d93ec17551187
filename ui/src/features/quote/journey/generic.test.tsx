import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Call, forId, refuse, type Server, sent } from '../../../api/testing';
import type { QuoteRead, StepperData } from '../../../api/types';
import { writeDraft, writeLastQuote } from '../../../form/answers/draft';
import type { Answers } from '../../../form/types';
import { saveToken } from '../../../lib/storage/tokens';
import {
  createdQuote,
  FIGURES,
  formChecked,
  savedQuote,
  updatedQuote,
} from '../../../testing/data';
import { BY_PLAN, GADGET, GADGET_ANSWERS, GADGET_STEPPER } from '../../../testing/products/gadget';
import { serve, show } from '../../../testing/server';
import { EditQuote } from '../saved/EditQuote';
import { PAY } from '../saved/editTesting';
import { NewQuote } from '../start/NewQuote';

const UUID = '0197f3c2-0000-7000-8000-000000000002';

const ROUTES = {
  '/cover/gadget': <NewQuote product="gadget" />,
  '/quote/edit/:id': <EditQuote uuid={UUID} bought={<p>Policy form</p>} />,
  '/payment/:id': <p>Payment page</p>,
};

const PRODUCT = 'GET /api/v2/openapi/product/{id}';
const PRICE = 'POST /api/v1/price';
const CHECK = 'POST /api/v1/form/{id}/check';
const CREATE = 'POST /api/v2/public/quote/{product}';
const READ = 'GET /api/v2/public/quote/read/{id}';
const UPDATE = 'PUT /api/v1/quote/{id}';
const ACCEPT = 'POST /api/v1/quote/update-accept/{id}';

function read(answers: Answers, status: 1 | 30 = 1): QuoteRead {
  const quote = savedQuote(UUID, 'GAD1', {
    product_identifier: 'gadget',
    product_title: 'Gadget cover',
    product_short_title: 'Gadget',
    status_id: status,
    flags: { buyable: status === 1, accepted: false, renewal_quote: false, policy: false },
  });
  const price = status === 1 ? quote.info.price : null;
  const form = { product_identifier: 'gadget', datasets: [] };
  return { ...quote, info: { ...quote.info, price }, form, ...answers };
}

/** Starts a server that sells gadget cover. `own` responds first. */
function shop(own: Server = {}, stepper: StepperData = GADGET_STEPPER) {
  return serve(own, {
    [PRODUCT]: forId('gadget', () => GADGET),
    'GET /api/v2/openapi/product/{identifier}/stepper': forId('gadget', () => stepper),
    [CHECK]: forId('gadget', () => ({ data: formChecked({}) })),
    [CREATE]: forId('gadget', () => ({ data: createdQuote(UUID, 'GAD1') })),
    [READ]: forId(UUID, () => ({ data: read(GADGET_ANSWERS) })),
    [ACCEPT]: forId(UUID, () => ({
      data: { uuid: UUID, amount_due: 48.16, revision_id: 1, plan: null },
    })),
  });
}

const next = () => screen.getByRole('button', { name: /^Next/ });
const pay = () => screen.getByRole('button', { name: PAY });
const prices = (calls: Call[]) => sent(calls, PRICE);

async function open(path: string, answers?: Answers) {
  if (answers) writeDraft('gadget', { answers });
  show(ROUTES, path);
  await screen.findByRole('button', { name: /^(Next|Pay)/ });
  return { user: userEvent.setup() };
}

beforeEach(() => {
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: true,
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a product on the generic stepper', () => {
  test('starts with its own headline, facts and first step', async () => {
    shop();
    await open('/cover/gadget');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Cover for what you carry');
    expect(screen.getByText('Up to ten gadgets')).toBeTruthy();
    expect(screen.getByText('£35.00')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Step 1: Your gadgets' })).toBeTruthy();
    expect(screen.getAllByRole('radio', { name: /Phone|Something else/ })).toHaveLength(2);
  });

  test('is priced as soon as what must be chosen is, and waits for the rest without a fault', async () => {
    let sold = false;
    const errors = { 'gadgets.0.gadget_type': ['Choose'] };
    const calls = shop({ [PRICE]: () => (sold ? undefined : refuse(422, 'No', { errors })) });
    const { user } = await open('/cover/gadget');
    expect(prices(calls)).toEqual([]);
    await user.click(screen.getByRole('radio', { name: 'Basic' }));
    await waitFor(() => expect(prices(calls)).toHaveLength(1));
    expect(await screen.findByText(/your price appears here/)).toBeTruthy();
    expect(screen.queryByText('Choose')).toBeNull();
    sold = true;
    await user.click(screen.getByRole('radio', { name: 'Tablet' }));
    await screen.findByText('£48.16');
  });

  test('writes its money in its own currency, its own way', async () => {
    const abroad = { ...GADGET, info: { ...GADGET.info, currency: 'EUR', locale: 'de-DE' } };
    shop({
      [PRODUCT]: forId('gadget', () => abroad),
      [PRICE]: () => ({ data: { figures: { ...FIGURES, currency: 'EUR' } } }),
    });
    const { user } = await open('/cover/gadget');
    await user.click(screen.getByRole('radio', { name: 'Basic' }));
    expect(await screen.findByText(/^48,16\s€$/)).toBeTruthy();
  });

  test('counts its steps in tens, saves before the last and sells', async () => {
    const calls = shop();
    const { user } = await open('/cover/gadget', GADGET_ANSWERS);
    await user.click(next());
    await screen.findByRole('heading', { level: 1, name: 'Your details' });
    await waitFor(() => expect(window.location.search).toBe('?step=20'));
    expect(screen.getByText('Gadget cover')).toBeTruthy();

    await user.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(window.location.search).toBe(''));
    await user.click(next());
    await screen.findByRole('heading', { level: 1, name: 'Your details' });

    await user.click(next());
    await screen.findByText('Quote ID: GAD1');
    await waitFor(() =>
      expect(window.location).toMatchObject({
        pathname: `/quote/edit/${UUID}`,
        search: '?step=30',
      }),
    );
    expect(screen.getByRole('heading', { name: 'Gadget 1' })).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: /assumptions are true/ }));
    // The terms must be ticked, and the tick changes the saved answers.
    calls.length = 0;
    await user.click(pay());
    await waitFor(() => expect(sent(calls, UPDATE)).toHaveLength(1));
    // This server does not have the call for an update, so the update fails. The page then opens
    // the first step.
    await waitFor(() => expect(window.location.search).toBe(''));
  });

  test('a step in the address is known as one beyond the first, and its first is not', async () => {
    shop();
    saveToken(UUID, 'secret');
    writeLastQuote('gadget', { uuid: UUID, custom_id: 'GAD1' });
    await open('/cover/gadget?step=10');
    await waitFor(() => expect(window.location.pathname).toBe('/cover/gadget'));
    cleanup();
    await open('/cover/gadget?step=20');
    await waitFor(() =>
      expect(window.location).toMatchObject({
        pathname: `/quote/edit/${UUID}`,
        search: '?step=20',
      }),
    );
  });

  test('asks before a gadget goes, though its file has no words for it', async () => {
    shop();
    const { user } = await open('/cover/gadget', GADGET_ANSWERS);
    await user.click(screen.getByRole('button', { name: /^Add Another/ }));
    await user.click(screen.getByRole('button', { name: 'Remove Gadget 2' }));
    await screen.findByText('Are you sure you wish to remove this gadget?');
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    await user.click(await screen.findByRole('button', { name: 'Clear Gadget 1' }));
    await screen.findByText("Are you sure you wish to clear all your gadget's details?");
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
  });
});

describe('a failed update', () => {
  async function change(refusal: ReturnType<typeof refuse>) {
    shop({ [UPDATE]: () => refusal });
    saveToken(UUID, 'secret');
    const opened = await open(`/quote/edit/${UUID}?step=20`);
    await opened.user.click(screen.getByRole('button', { name: 'Update my details' }));
    await opened.user.type(screen.getByRole('textbox', { name: 'First name' }), 'e');
    await opened.user.click(screen.getByRole('button', { name: 'Save Changes' }));
    return opened;
  }

  test('leads to step 10, and from there to where the error is', async () => {
    const { user } = await change(
      refuse(422, 'No', { errors: { last_name: ['Enter a real name'] } }),
    );
    await screen.findByText('Error. Please correct the form and try again.');
    await screen.findByRole('heading', { level: 1, name: 'Your gadgets' });
    await waitFor(() => expect(window.location.search).toBe(''));
    const alert = screen.getByRole('alert', { name: 'There is a problem' });
    await user.click(within(alert).getByRole('link', { name: 'Enter a real name' }));
    await screen.findByRole('heading', { level: 1, name: 'Your details' });
    await waitFor(() => expect(document.activeElement?.id).toBe('answer-last_name'));
  });

  test('by nobody leads to step 10 with the login warning, and keeps what was typed', async () => {
    const { user } = await change(refuse(401, 'No'));
    await screen.findByText(/You cannot update quote if you are not logged in/);
    await screen.findByRole('heading', { level: 1, name: 'Your gadgets' });
    await waitFor(() => expect(window.location.search).toBe(''));
    await user.click(next());
    await waitFor(() =>
      expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'First name' }).value).toBe(
        'Anne',
      ),
    );
  });
});

describe('a check that fails on its way', () => {
  test('is no failed update: one stays where one is', async () => {
    shop({ [CHECK]: () => refuse(503, 'We are stopping.') });
    saveToken(UUID, 'secret');
    const { user } = await open(`/quote/edit/${UUID}?step=20`);
    await user.click(next());
    await screen.findByText(/We are busy just now/);
    await waitFor(() => expect(window.location.search).toBe('?step=20'));
  });
});

test('with three steps, one that lacks an answer is not left', async () => {
  shop();
  const { user } = await open('/cover/gadget', {
    ...GADGET_ANSWERS,
    multi: { gadgets: [{ gadget_type: 1 }] },
  });
  await user.click(next());
  await screen.findByRole('alert', { name: 'There is a problem' });
  await waitFor(() => expect(screen.queryByText('Please wait...')).toBeNull());
  await waitFor(() => expect(document.activeElement?.id).toBe('error-summary'));
  await waitFor(() => expect(window.location.search).toBe(''));
});

describe('two steps', () => {
  test('go on whatever is missing, and the last one saves and says what is', async () => {
    const errors = { 'gadgets.0.gadget_make': ['Enter the make'] };
    shop({ [CREATE]: forId('gadget', () => refuse(422, 'No', { errors })) }, BY_PLAN);
    const { user } = await open('/cover/gadget', {
      ...GADGET_ANSWERS,
      multi: { gadgets: [{ gadget_type: 1 }] },
    });
    await user.click(next());
    await screen.findByRole('heading', { level: 1, name: 'Check and pay' });
    await waitFor(() => expect(window.location.search).toBe('?step=20'));
    expect(screen.getByText('Gadget basic')).toBeTruthy();

    await user.click(screen.getByRole('checkbox', { name: /assumptions are true/ }));
    await user.click(pay());
    await screen.findByText('Error. Please correct the form and try again.');
    await waitFor(() => expect(window.location.search).toBe(''));
    await waitFor(() => expect(document.activeElement?.id).toBe('error-summary'));
  });
});

describe('one step', () => {
  test('asks everything, shows no header, and pays at once', async () => {
    const calls = shop({}, BY_PLAN);
    const { user } = await open('/cover/gadget', {
      ...GADGET_ANSWERS,
      values: { ...GADGET_ANSWERS.values, plan: 2 },
    });
    expect(screen.queryByRole('navigation', { name: 'Steps' })).toBeNull();
    expect(screen.queryByText('Check your answers')).toBeNull();
    await user.click(pay());
    await screen.findByRole('alert', { name: 'There is a problem' });
    await user.click(screen.getByRole('checkbox', { name: /assumptions are true/ }));
    await user.click(pay());
    await screen.findByText('Payment page');
    await waitFor(() => expect(window.location.pathname).toBe(`/payment/${UUID}`));
    expect(sent(calls, ACCEPT)[0]?.headers.get('Authorization')).toBe('Bearer secret');
  });
});

describe('an unfinished quote', () => {
  test('is opened to be filled in', async () => {
    const partial = { values: { plan: 1 }, multi: { gadgets: [{ gadget_type: 3 }] } };
    shop({ [READ]: forId(UUID, () => ({ data: read(partial, 30) })) });
    saveToken(UUID, 'secret');
    await open(`/quote/edit/${UUID}`);
    expect(screen.getByText(/Some answers are still missing/)).toBeTruthy();
    expect(screen.getByRole('textbox', { name: 'Make' })).toBeTruthy();
    // The date has no answer, so the field starts with the default of a new quote.
    expect(
      screen.getByRole<HTMLInputElement>('textbox', { name: 'When should cover start?' }).value,
    ).toBe('22/11/2026');
  });
});

describe('an unfinished quote with nothing left to ask', () => {
  test('is saved on the way to its last step', async () => {
    const calls = shop({
      [UPDATE]: forId(UUID, () => ({ data: updatedQuote(UUID) })),
      [READ]: forId(UUID, () => ({ data: read(GADGET_ANSWERS, 30) })),
    });
    saveToken(UUID, 'secret');
    const { user } = await open(`/quote/edit/${UUID}?step=20`);
    await user.click(next());
    await screen.findByRole('heading', { level: 1, name: 'Check and pay' });
    expect(sent(calls, UPDATE)).toHaveLength(1);
  });
});

describe('assumptions', () => {
  test('are a press away with every point, and closed by Close', async () => {
    shop();
    const { user } = await open('/cover/gadget');
    const assumptions = screen.getByRole('button', { name: 'What we assume about your gadgets' });
    await user.click(assumptions);
    const dialog = await screen.findByRole('dialog', { name: 'What we assume about your gadgets' });
    const points = within(dialog)
      .getAllByRole('listitem')
      .map((point) => point.textContent ?? '');
    expect(points).toHaveLength(4);
    for (const pattern of [
      /full working order and not already damaged/,
      /at most 18 months old.*proof of purchase/,
      /bought new in the UK from the manufacturer, a network provider or a retailer, or refurbished from the manufacturer or a network provider/,
      /locator service is activated within 15 days of the policy starting/,
    ]) {
      expect(points.some((point) => pattern.test(point))).toBe(true);
    }
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(assumptions));
  });

  test('are no button where a product has none', async () => {
    const withoutAssumptions = { ...GADGET, info: { ...GADGET.info, assumptions: null } };
    shop({ [PRODUCT]: forId('gadget', () => withoutAssumptions) });
    await open('/cover/gadget');
    expect(screen.queryByRole('button', { name: /What we assume/ })).toBeNull();
  });
});
