import { recordError } from '../lib/errors';
import { forgetToken, tokenFor } from '../lib/storage/tokens';
import { withMinDelay } from '../lib/timing/withMinDelay';
import type { Answer, FilePath, Method, Optional, Params, PathOf, Sent } from './operations';

export type FieldErrors = Record<string, string[]>;

export const DEFAULT_MESSAGE = 'An error occurred';
const UNAUTHORISED_MESSAGE = 'Unauthorised, please login before trying again.';
const OTHER_PERSON = 'You are logged in to another account now, so we have not done this.';

/**
 * The error of a failed call. `status` is 0 if there was no response. An aborted call throws its
 * `AbortError` instead.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    message: string,
    readonly errors: FieldErrors = {},
    readonly code: string | null = null,
    /** The time that the server asks to wait, in seconds. */
    readonly retryAfter: number | null = null,
    /** The server's suggestions, if the server did not find what the call asked for. */
    readonly suggestions: readonly string[] = [],
  ) {
    super(message);
  }
}

/**
 * Whether a call may open the login. `user`: only while the page shows a person as logged in.
 * `anyone`: for a visitor too.
 */
export type LoginPrompt = 'user' | 'anyone' | 'never';

interface CallOptions {
  /** The uuid of the quote. The call sends the quote's consumer token, if this browser has one. */
  quote?: string;
  signal?: AbortSignal;
  /** Default: `never` for a GET of JSON, `user` for a file and for every other method. */
  login?: LoginPrompt;
}

/**
 * The result of a login request. `same`: the call may be sent again. `other`: another person than
 * before logged in. `none`: nobody logged in.
 */
export type LoginOutcome = 'same' | 'other' | 'none';

type RequestLogin = (prompt: Exclude<LoginPrompt, 'never'>) => Promise<LoginOutcome>;

let requestLogin: RequestLogin | null = null;

/** Sets the function that opens the login. Returns the function that unsets it. */
export function setLoginRequester(requester: RequestLogin): () => void {
  requestLogin = requester;
  return () => {
    if (requestLogin === requester) requestLogin = null;
  };
}

/** The parameters and the body as the API document defines them, and our own options. */
export type Call<M extends Method, P extends PathOf<M>> = Sent<M, P> & CallOptions;

interface LooseParams {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
}

interface LooseCall extends LooseParams, CallOptions {
  header?: Record<string, unknown>;
  body?: unknown;
}

/**
 * Builds the query as text, without undefined and null values. A list becomes one pair for each
 * entry.
 */
function queryOf(query: Record<string, unknown>): string {
  return Object.entries(query)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, one]))
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
}

function addressOf(path: string, { path: names = {}, query = {} }: LooseParams = {}): string {
  const filled = path.replace(/\{([^{}]+)\}/g, (place, name: string) =>
    names[name] === undefined ? place : encodeURIComponent(String(names[name])),
  );
  const queryText = queryOf(query);
  return queryText ? `${filled}?${queryText}` : filled;
}

/** Returns the address of a GET with its values. SWR's cache uses the address as the key. */
export function address<P extends PathOf<'get'>>(
  path: P,
  ...[params]: Optional<Params<'get', P>>
): string {
  return addressOf(path, params);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Checks whether a cache key is the address of this call. Without `params`, any values of the path
 * match. The query does not count.
 */
export function isAddressOf<P extends PathOf<'get'>>(
  path: P,
  key: unknown,
  params?: Params<'get', P>,
): boolean {
  if (typeof key !== 'string') return false;
  const [pathOfKey] = key.split('?');
  if (params) return pathOfKey === addressOf(path, { path: (params as LooseParams).path });
  return new RegExp(
    `^${path
      .split(/\{[^}]+\}/)
      .map(escaped)
      .join('[^/]+')}$`,
  ).test(pathOfKey ?? '');
}

function asErrors(value: unknown): FieldErrors {
  if (typeof value !== 'object' || value === null) return {};
  const errors: FieldErrors = {};
  for (const [path, texts] of Object.entries(value)) {
    const list = (Array.isArray(texts) ? texts : [texts]).filter((t) => typeof t === 'string');
    if (list.length > 0) errors[path] = list;
  }
  return errors;
}

function toError(response: Response, body: unknown, path: string): ApiError {
  const envelope = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const fallback = response.status === 401 ? UNAUTHORISED_MESSAGE : DEFAULT_MESSAGE;
  const message = typeof envelope.message === 'string' ? envelope.message : fallback;
  const wait = Number(response.headers.get('Retry-After') ?? Number.NaN);
  // A 401 is not recorded: the visitor is not logged in, which is no failure.
  if (response.status !== 401) {
    recordError({
      message,
      status: response.status,
      path,
      requestId: response.headers.get('X-Request-Id') ?? undefined,
    });
  }
  return new ApiError(
    response.status,
    message,
    asErrors(envelope.errors),
    typeof envelope.code === 'string' ? envelope.code : null,
    Number.isFinite(wait) ? wait : null,
    Array.isArray(envelope.suggestions)
      ? envelope.suggestions.filter((text) => typeof text === 'string')
      : [],
  );
}

function send(method: Method, path: string, call: LooseCall, token: string | null) {
  const headers = new Headers({ Accept: 'application/json' });
  for (const [name, value] of Object.entries(call.header ?? {})) {
    if (value !== undefined) headers.set(name, String(value));
  }
  if (call.body !== undefined) headers.set('Content-Type', 'application/json');
  if (token) headers.set('Authorization', `Bearer ${token}`);
  return fetch(
    new Request(addressOf(path, call), {
      method: method.toUpperCase(),
      headers,
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      credentials: 'same-origin',
      signal: call.signal,
    }),
  );
}

/**
 * Sends a call. If the server responds with 401, opens the login as `login` allows. If the same
 * person logs in, sends the call again.
 */
async function exchange(
  method: Method,
  path: string,
  call: LooseCall,
  defaultLogin: LoginPrompt = method === 'get' ? 'never' : 'user',
): Promise<Response> {
  const { login = defaultLogin } = call;
  try {
    return await exchangeOnce(method, path, call);
  } catch (failure) {
    const needsLogin = failure instanceof ApiError && failure.status === 401;
    if (!needsLogin || login === 'never' || !requestLogin) throw failure;
    const outcome = await requestLogin(login);
    if (outcome === 'none') throw failure;
    if (outcome === 'other') throw new ApiError(403, OTHER_PERSON);
    return exchangeOnce(method, path, call);
  }
}

async function exchangeOnce(method: Method, path: string, call: LooseCall): Promise<Response> {
  const token = call.quote ? tokenFor(call.quote) : null;
  const shown = addressOf(path, call);
  let response: Response;
  try {
    response = await send(method, path, call, token);
    // A token ends when its quote joins an account. The session may then give access to the quote.
    // If the session gives no access, the token stays, because it may open a policy's documents.
    if (response.status === 401 && token && call.quote) {
      const retried = await send(method, path, call, null);
      if (retried.ok) forgetToken(call.quote);
      if (retried.status !== 401) response = retried;
    }
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    recordError({ message: 'No answer from the server', path: shown });
    throw new ApiError(0, 'We could not reach our server. Please check your connection.');
  }
  if (response.ok) return response;
  throw toError(response, await response.json().catch(() => null), shown);
}

/** Unwraps `{"data": x}`. A page or a bare response stays as it is. */
function unwrap(body: unknown): unknown {
  if (typeof body === 'object' && body !== null && 'data' in body) {
    return Object.keys(body).length === 1 ? body.data : body;
  }
  return body;
}

async function read(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const answer: unknown = await response.json().catch(() => {
    throw new ApiError(response.status, DEFAULT_MESSAGE);
  });
  return unwrap(answer);
}

function caller<M extends Method>(method: M) {
  return <P extends PathOf<M>>(path: P, ...[call]: Optional<Call<M, P>>) =>
    withMinDelay(exchange(method, path, (call ?? {}) as LooseCall).then(read)) as Promise<
      Answer<M, P>
    >;
}

/** Reads a file. The file has the name from the server, or `document.pdf`. */
async function file<P extends FilePath>(path: P, call: Call<'get', P>): Promise<File> {
  const response = await exchange('get', path, call as LooseCall, 'user');
  const named = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '');
  return new File([await response.blob()], named?.[1] ?? 'document.pdf', {
    type: response.headers.get('Content-Type') ?? '',
  });
}

/**
 * The calls of the API. Path, parameters, body and response have the types of its OpenAPI document.
 */
export const api = { get: caller('get'), post: caller('post'), put: caller('put'), file };
