import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { recentErrors } from '../lib/errors';
import { saveToken, tokenFor } from '../lib/storage/tokens';
import { ApiError, address, api, isAddressOf } from './client';
import { answerCalls, type Call } from './testing';

let calls: Call[] = [];
let answers: (() => Response | Promise<Response>)[] = [];

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  answers.push(() => new Response(JSON.stringify(body), { status, headers }));
}

const authorization = (call: number) => calls[call]?.headers.get('Authorization');

async function failure(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

beforeEach(() => {
  calls = [];
  answers = [];
  answerCalls((call) => {
    calls.push(call);
    const next = answers.shift();
    if (!next) throw new TypeError('No answer is left');
    return next();
  });
  recentErrors.set([]);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const site = () => api.get('/api/v1/site');
const quote = (uuid: string) =>
  api.get('/api/v2/public/quote/read/{id}', { path: { id: 'a' }, quote: uuid });
const login = () => api.post('/api/login', { body: { username: 'ann' } });

describe('answers', () => {
  test('take at least 200 ms', async () => {
    vi.useFakeTimers();
    answer(200, { data: {} });
    const seen = vi.fn();
    site().then(seen);
    await vi.advanceTimersByTimeAsync(199);
    expect(calls).toHaveLength(1);
    expect(seen).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toHaveBeenCalled();
    vi.useRealTimers();
  });

  test('an envelope is opened; a bare answer and a page stay as they are', async () => {
    answer(200, { data: { uuid: '1' } });
    expect(await site()).toEqual({ uuid: '1' });
    answer(200, { form: {}, info: {} });
    expect(await site()).toEqual({ form: {}, info: {} });
    answer(200, { data: [], current_page: 1, total: 0 });
    expect(await site()).toEqual({ data: [], current_page: 1, total: 0 });
  });

  test('a body goes as JSON, with the key that makes a repeat harmless', async () => {
    answer(201, { data: {} });
    await api.post('/api/v2/public/quote/{product}', {
      path: { product: 'gadget' },
      header: { 'Idempotency-Key': 'once' },
      body: { product: { values: { level: 'full' } } },
    });
    const [call] = calls;
    expect(call?.method).toBe('POST');
    expect(call?.path).toBe('/api/v2/public/quote/gadget');
    expect(call?.body).toEqual({ product: { values: { level: 'full' } } });
    expect(call?.headers.get('Content-Type')).toBe('application/json');
    expect(call?.headers.get('Idempotency-Key')).toBe('once');
  });

  test("no content is undefined, and a file has the server's name", async () => {
    answers.push(() => new Response(null, { status: 204 }));
    expect(await site()).toBeUndefined();
    const named = { 'Content-Disposition': 'inline; filename="schedule.pdf"' };
    answers.push(() => new Response('%PDF', { headers: named }));
    const path = { identifier: 'd1' };
    const file = await api.file('/api/v1/documents/{identifier}', { path });
    expect([file.name, await file.text()]).toEqual(['schedule.pdf', '%PDF']);
  });
});

describe('addresses', () => {
  const list = address('/api/v2/policy/list', {
    query: { page: 2, policyHolder: 'Ann & Bo', productID: undefined, 'quoteStatus[]': [1, 5] },
  });

  test('escape their values, and leave out undefined ones', async () => {
    expect(address('/api/v1/payment/{id}', { path: { id: 'a/b?c' } })).toBe(
      '/api/v1/payment/a%2Fb%3Fc',
    );
    const query = new URLSearchParams(list.split('?')[1]);
    expect([...query]).toEqual([
      ['page', '2'],
      ['policyHolder', 'Ann & Bo'],
      ['quoteStatus[]', '1'],
      ['quoteStatus[]', '5'],
    ]);
  });

  test('are recognised as keys of the cache', () => {
    const documents = '/api/v1/policy/{id}/documents';
    const key = `${address(documents, { path: { id: 'a' } })}?revision=2`;
    expect(isAddressOf(documents, key)).toBe(true);
    expect(isAddressOf(documents, key, { path: { id: 'a' } })).toBe(true);
    expect(isAddressOf(documents, key, { path: { id: 'b' } })).toBe(false);
    expect(isAddressOf('/api/v1/policy/{id}/mta', key)).toBe(false);
    expect(isAddressOf('/api/v2/policy/list', list)).toBe(true);
    expect(isAddressOf('/api/v2/policy/list', ['account', list])).toBe(false);
  });
});

describe('consumer tokens', () => {
  test('go only with calls about their own quote', async () => {
    saveToken('q1', 'secret');
    answer(200, { data: {} });
    await quote('q1');
    expect(authorization(0)).toBe('Bearer secret');
    answer(200, { data: {} });
    await quote('q2');
    expect(authorization(1)).toBeNull();
    answer(200, { data: {} });
    await site();
    expect(authorization(2)).toBeNull();
  });

  test('an expired token is replaced by the session', async () => {
    saveToken('q1', 'old');
    answer(401, { message: 'no' });
    answer(200, { data: { uuid: 'q1' } });
    expect(await quote('q1')).toEqual({ uuid: 'q1' });
    expect(authorization(1)).toBeNull();
    expect(tokenFor('q1')).toBeNull();
  });

  test("is kept if the session is another person's", async () => {
    saveToken('q1', 'documents only');
    answer(401, { message: 'no' });
    answer(404, { message: 'nothing here' });
    expect((await failure(quote('q1'))).status).toBe(404);
    expect(tokenFor('q1')).toBe('documents only');
  });

  test('is kept if the session has no access either', async () => {
    saveToken('q1', 'old');
    answer(401, { message: 'no' });
    answer(401, { message: 'no' });
    expect((await failure(quote('q1'))).status).toBe(401);
    expect(tokenFor('q1')).toBe('old');
  });
});

describe('failures', () => {
  test('have the text of the envelope', async () => {
    answer(422, { message: 'Check', errors: { first_name: ['Required.'] }, code: 'invalid' });
    expect(await failure(login())).toMatchObject({
      status: 422,
      message: 'Check',
      code: 'invalid',
      errors: { first_name: ['Required.'] },
    });
  });

  test('say how long to wait', async () => {
    answer(429, { message: 'Slow down' }, { 'Retry-After': '30' });
    expect((await failure(login())).retryAfter).toBe(30);
  });

  test('have a default text', async () => {
    answers.push(() => new Response('<html>', { status: 502 }));
    expect((await failure(site())).message).toBe('An error occurred');
    answers.push(() => new Response('', { status: 401 }));
    expect((await failure(site())).message).toBe('Unauthorised, please login before trying again.');
    answers.push(() => new Response('<html>', { status: 200 }));
    expect(await failure(site())).toMatchObject({ status: 200, message: 'An error occurred' });
  });

  test('no answer at all is status 0; a call that was given up is none', async () => {
    answers.push(() => Promise.reject(new TypeError('Failed to fetch')));
    expect((await failure(site())).status).toBe(0);
    answers.push(() => Promise.reject(new DOMException('given up', 'AbortError')));
    await expect(site()).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('are recorded, except a missing login', async () => {
    answer(500, { message: 'An error occurred' }, { 'X-Request-Id': 'r-1' });
    await failure(quote('q1'));
    answer(401, { message: 'no' });
    await failure(site());
    const path = '/api/v2/public/quote/read/a';
    expect(recentErrors.get()).toMatchObject([{ status: 500, path, requestId: 'r-1' }]);
  });
});
