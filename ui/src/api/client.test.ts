import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { recentErrors } from '../lib/errors';
import { saveToken, tokenFor } from '../lib/tokens';
import { ApiError, api } from './client';

const fetched = vi.fn<typeof fetch>();

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  fetched.mockResolvedValueOnce(new Response(JSON.stringify(body), { status, headers }));
}

function sent(call = 0): {
  path: unknown;
  init: RequestInit & { headers: Record<string, string> };
} {
  const [path, init] = fetched.mock.calls[call] ?? [];
  return { path, init: init as RequestInit & { headers: Record<string, string> } };
}

async function failure(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
  recentErrors.set([]);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('answers', () => {
  test('an envelope is opened; a bare answer and a page stay as they are', async () => {
    answer(200, { data: { uuid: '1' } });
    expect(await api.get('/a')).toEqual({ uuid: '1' });
    answer(200, { form: {}, info: {} });
    expect(await api.get('/b')).toEqual({ form: {}, info: {} });
    answer(200, { data: [], current_page: 1, total: 0 });
    expect(await api.get('/c')).toEqual({ data: [], current_page: 1, total: 0 });
  });

  test('a body goes as JSON, with the key that makes a repeat harmless', async () => {
    answer(201, { data: {} });
    await api.post('/a', { x: 1 }, { idempotencyKey: 'once' });
    const { init } = sent();
    expect(init.method).toBe('POST');
    expect(init.body).toBe('{"x":1}');
    expect(init.headers['Content-Type']).toBe('application/json');
    expect(init.headers['Idempotency-Key']).toBe('once');
  });
});

describe('consumer tokens', () => {
  test('go only with calls about their own quote', async () => {
    saveToken('q1', 'secret');
    answer(200, { data: {} });
    await api.get('/a', { quote: 'q1' });
    expect(sent(0).init.headers.Authorization).toBe('Bearer secret');
    answer(200, { data: {} });
    await api.get('/a', { quote: 'q2' });
    expect(sent(1).init.headers.Authorization).toBeUndefined();
    answer(200, { data: {} });
    await api.get('/a');
    expect(sent(2).init.headers.Authorization).toBeUndefined();
  });

  test('one that has ended gives way to the session', async () => {
    saveToken('q1', 'old');
    answer(401, { message: 'no' });
    answer(200, { data: { uuid: 'q1' } });
    expect(await api.get('/a', { quote: 'q1' })).toEqual({ uuid: 'q1' });
    expect(sent(1).init.headers.Authorization).toBeUndefined();
    expect(tokenFor('q1')).toBeNull();
  });

  test('is kept where the session opens nothing either', async () => {
    saveToken('q1', 'old');
    answer(401, { message: 'no' });
    answer(401, { message: 'no' });
    expect((await failure(api.get('/a', { quote: 'q1' }))).status).toBe(401);
    expect(tokenFor('q1')).toBe('old');
  });
});

describe('failures', () => {
  test('carry what the envelope says', async () => {
    answer(422, { message: 'Check', errors: { first_name: ['Required.'] }, code: 'invalid' });
    const error = await failure(api.post('/a'));
    expect(error).toMatchObject({
      status: 422,
      message: 'Check',
      code: 'invalid',
      errors: { first_name: ['Required.'] },
    });
  });

  test('say how long to wait', async () => {
    answer(429, { message: 'Slow down' }, { 'Retry-After': '30' });
    expect((await failure(api.post('/a'))).retryAfter).toBe(30);
  });

  test('have words where the server gave none', async () => {
    fetched.mockResolvedValueOnce(new Response('<html>', { status: 502 }));
    expect((await failure(api.get('/a'))).message).toBe('An error occurred');
    fetched.mockResolvedValueOnce(new Response('', { status: 401 }));
    expect((await failure(api.get('/a'))).message).toBe(
      'Unauthorised, please login before trying again.',
    );
  });

  test('no answer at all is status 0', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    expect((await failure(api.get('/a'))).status).toBe(0);
  });

  test('are kept for the telephone, except not being logged in', async () => {
    answer(500, { message: 'An error occurred' }, { 'X-Request-Id': 'r-1' });
    await failure(api.get('/a'));
    answer(401, { message: 'no' });
    await failure(api.get('/b'));
    expect(recentErrors.get()).toMatchObject([{ status: 500, path: '/a', requestId: 'r-1' }]);
  });
});
