import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { refuse, type Server, sent } from '../../api/testing';
import type { Ownership, Profile } from '../../api/types';
import { SuccessScreen } from '../../features/payment/result/SuccessScreen';
import { PolicyScreen } from '../../features/policies/view/PolicyScreen';
import { EditQuote } from '../../features/quote/saved/EditQuote';
import { saveToken, tokenFor } from '../../lib/storage/tokens';
import { loginRequest } from '../../shared/login/loginDialog';
import { profileOf, savedQuote, UUID } from '../../testing/data';
import { forgetAll, hold, read, term } from '../../testing/policy';
import { visit } from '../../testing/server';

const ROUTES = {
  '/dashboard': <p>The account</p>,
  '/payment/success/:id': <SuccessScreen uuid={UUID} />,
  '/policy/view/:id': <PolicyScreen uuid={UUID} />,
  '/quote/edit/:id': <EditQuote uuid={UUID} bought={null} />,
};
const SUCCESS = `/payment/success/${UUID}`;
const POLICY = `/policy/view/${UUID}`;
const QUOTE = `/quote/edit/${UUID}`;

const ADOPT = 'POST /api/v1/quote/{id}/adopt';
const RESET = 'POST /api/v1/password/{aid}/reset';
const BOB = profileOf({ user_uuid: 'u2', email_primary: 'bob@example.org' });
const EMAIL = read().values.email_primary as string;

const GOOD = 'Abcdef1!';

interface Case {
  account: Ownership;
  person: Profile | null;
}

/** Opens a shop with a policy and a quote of this ownership. */
function open(path: string, owner: Case, own: Server = {}) {
  const now = { ...owner };
  const calls = hold(() => read(term(), { account: now.account }), {
    'GET /api/v1/profile': () => now.person ?? refuse(401, 'Nobody'),
    [ADOPT]: () => {
      now.account = 'mine';
      return { data: { uuid: UUID } };
    },
    ...own,
  });
  saveToken(UUID, 'token');
  visit(ROUTES, path);
  return { calls, now };
}

const region = (name: string | RegExp) => screen.findByRole('region', { name });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

afterEach(async () => {
  await forgetAll();
  sessionStorage.clear();
  loginRequest.set(null);
});

describe.each([
  ['the page of a purchase', SUCCESS],
  ['the page of a policy', POLICY],
])('%s', (_, path) => {
  test('says, logged out, in whose account it is, and begins the login with that address', async () => {
    open(path, { account: 'other_account', person: null });
    const card = await region('Your account');
    expect(card.textContent).toContain(`This policy is in the account of ${EMAIL}. To manage it`);
    await userEvent.click(within(card).getByRole('button', { name: 'Login' }));
    expect(loginRequest.get()).toMatchObject({ username: EMAIL, quote: UUID });
    expect(screen.queryByRole('button', { name: 'Cancel cover' })).toBeNull();
  });

  test('says, logged in to another account, that it is not in that one', async () => {
    const { calls } = open(path, { account: 'other_account', person: BOB });
    const card = await region('Your account');
    await waitFor(() => expect(card.textContent).toContain('you are logged in to another one'));
    expect(sent(calls, ADOPT)).toEqual([]);
  });

  test('asks, logged in with another address, whether to add it, and adds it on yes', async () => {
    const { calls } = open(path, { account: 'claimable', person: BOB });
    const card = await region('Add this policy to your account?');
    await waitFor(() => expect(card.textContent).toContain('bob@example.org'));
    expect(card.textContent).toContain(`It is for ${EMAIL}`);
    expect(card.textContent).toContain('anybody can send you a link');
    await press('Add to my account');
    await screen.findByText('This policy is in your account now.');
    expect(sent(calls, ADOPT).map(({ headers }) => headers.get('Authorization'))).toEqual([
      'Bearer token',
    ]);
    await waitFor(() => expect(tokenFor(UUID)).toBeNull());
    await waitFor(() => expect(screen.queryByText(/^Add this policy/)).toBeNull());
    await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  });

  test('leaves it where it is on no, keeps its link, and can still add it', async () => {
    const { calls } = open(path, { account: 'claimable', person: BOB });
    await region('Add this policy to your account?');
    await press('No, leave it');
    await screen.findByText(/This policy is not in your account. Add it to change/);
    expect(tokenFor(UUID)).toBe('token');
    expect(sent(calls, ADOPT)).toEqual([]);
    await press('Add to my account');
    await screen.findByText('This policy is in your account now.');
  });

  test('says so when somebody else was first', async () => {
    open(path, { account: 'claimable', person: BOB }, { [ADOPT]: () => refuse(404, 'Not found') });
    await region('Add this policy to your account?');
    await press('Add to my account');
    const alert = await screen.findByText(/could not be added. It is in another account already/);
    expect(alert.closest('[role="alert"]')).toBeTruthy();
    await waitFor(() => expect(document.title).toMatch(/^Error: /));
  });

  test('adds it without a question where its mailbox is the customer’s own', async () => {
    const { calls } = open(path, { account: 'auto_claimable', person: BOB });
    await screen.findByText('This policy is in your account now.');
    expect(sent(calls, ADOPT)).toHaveLength(1);
    expect(screen.queryByText(/^Add this policy/)).toBeNull();
  });

  test('has the first password of a mailbox without an account: by the code from its letter', async () => {
    const { calls, now } = open(
      path,
      { account: 'unclaimed', person: null },
      {
        [RESET]: ({ params, body }) => {
          if (params.aid !== `${UUID}.AB01CDEF`) return refuse(404, 'Not found');
          expect(body).toMatchObject({ password: GOOD, password_rpt: GOOD });
          return { data: {} };
        },
        'POST /api/login': ({ body }) => {
          expect(body).toMatchObject({ username: EMAIL, password: GOOD });
          now.person = profileOf({ user_uuid: 'u3', email_primary: EMAIL });
          now.account = 'mine';
          return {};
        },
      },
    );
    const panel = await region('Set a password');
    expect(panel.textContent).toContain(`Set a password for ${EMAIL}`);
    const card = within(panel);
    expect(card.getByText(/Your password counts only with the code/)).toBeTruthy();
    const set = card.getByRole('button', { name: 'Set Password' }) as HTMLButtonElement;
    expect(set.disabled).toBe(true);
    const code = card.getByLabelText('Code from our email');
    await userEvent.type(code, 'zzzz-zzzz');
    await userEvent.type(card.getByLabelText('Password'), GOOD);
    await userEvent.type(card.getByLabelText('Confirm Password'), `${GOOD}{Enter}`);
    await card.findByText(/This code is not right, or it is too old/);
    await waitFor(() => expect(document.activeElement).toBe(code));
    // The code in small letters, with letters that look like its digits.
    await userEvent.clear(code);
    await userEvent.type(code, 'abol-cdef{Enter}');
    await waitFor(() => expect(screen.queryByText('Set a password')).toBeNull());
    expect(sent(calls, RESET)).toHaveLength(2);
  });
});

test('the page of a purchase says that it is in the account, and leads there', async () => {
  open(SUCCESS, { account: 'mine', person: BOB });
  const card = within(await region('Your account'));
  expect(card.getByText(/^It is in your account\./)).toBeTruthy();
  await userEvent.click(card.getByRole('link', { name: 'Go to your account' }));
  await waitFor(() => expect(window.location.search).toBe('?tab=policies'));
});

describe('a quote', () => {
  const shown = (account: Ownership): Server => ({
    'GET /api/v2/public/quote/read/{id}': () => ({ data: savedQuote(UUID, 'BRK1', { account }) }),
  });

  test('that was opened by a link asks one question, and is read on after a no', async () => {
    const { calls } = open(QUOTE, { account: 'claimable', person: BOB }, shown('claimable'));
    const card = await region('Add this quote to your account?');
    expect(card.textContent).toContain('you find it again under Quotes');
    await press('No, leave it');
    expect(screen.queryByText('Add this quote to your account?')).toBeNull();
    expect(screen.getByRole('button', { name: 'Update my details' })).toBeTruthy();
    expect(sent(calls, ADOPT)).toEqual([]);
    expect(tokenFor(UUID)).toBe('token');
  });

  test('of the customer’s own mailbox joins at once', async () => {
    const { calls } = open(
      QUOTE,
      { account: 'auto_claimable', person: BOB },
      shown('auto_claimable'),
    );
    await screen.findByText('This quote is in your account now.');
    expect(sent(calls, ADOPT)).toHaveLength(1);
  });

  test('says nothing of accounts to whoever is not logged in', async () => {
    open(QUOTE, { account: 'unclaimed', person: null }, shown('unclaimed'));
    await screen.findByRole('button', { name: 'Update my details' });
    expect(document.body.textContent).not.toMatch(/account\?|Set a password/);
  });
});
