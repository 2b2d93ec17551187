import { recordError } from '../lib/errors';
import { atLeast } from '../lib/minimum';
import { forgetToken, tokenFor } from '../lib/tokens';

export type FieldErrors = Record<string, string[]>;

export const DEFAULT_MESSAGE = 'An error occurred';
const UNAUTHORISED_MESSAGE = 'Unauthorised, please login before trying again.';

/** What every failed call throws. `status` is 0 when no answer came at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    message: string,
    readonly errors: FieldErrors = {},
    readonly code: string | null = null,
    /** Seconds the server asks to wait. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

export interface CallOptions {
  /** uuid of the quote the call is about: its consumer token is sent, when there is one. */
  quote?: string;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

type Method = 'GET' | 'POST' | 'PUT';

function asErrors(value: unknown): FieldErrors {
  if (typeof value !== 'object' || value === null) return {};
  const errors: FieldErrors = {};
  for (const [path, texts] of Object.entries(value)) {
    const list = (Array.isArray(texts) ? texts : [texts]).filter((t) => typeof t === 'string');
    if (list.length > 0) errors[path] = list;
  }
  return errors;
}

async function toError(response: Response, path: string): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const envelope = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const fallback = response.status === 401 ? UNAUTHORISED_MESSAGE : DEFAULT_MESSAGE;
  const message = typeof envelope.message === 'string' ? envelope.message : fallback;
  const wait = Number(response.headers.get('Retry-After') ?? Number.NaN);
  // A visitor who isn't logged in is no failure worth keeping.
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
  );
}

function send(
  method: Method,
  path: string,
  body: unknown,
  options: CallOptions,
  token: string | null,
): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token) headers.Authorization = `Bearer ${token}`;
  if (options.idempotencyKey) headers['Idempotency-Key'] = options.idempotencyKey;
  return fetch(path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: 'same-origin',
    signal: options.signal,
  });
}

/** `{"data": x}` alone is an envelope; a page or a bare answer stays as it is. */
function unwrap(body: unknown): unknown {
  if (typeof body === 'object' && body !== null && 'data' in body) {
    return Object.keys(body).length === 1 ? body.data : body;
  }
  return body;
}

async function exchange(
  method: Method,
  path: string,
  body: unknown,
  options: CallOptions,
): Promise<Response> {
  const token = options.quote ? tokenFor(options.quote) : null;
  let response: Response;
  try {
    response = await send(method, path, body, options, token);
    // A token ends when its quote is claimed by an account; the session may still open it.
    if (response.status === 401 && token && options.quote) {
      const again = await send(method, path, body, options, null);
      if (again.status !== 401) {
        forgetToken(options.quote);
        response = again;
      }
    }
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    recordError({ message: 'No answer from the server', path });
    throw new ApiError(0, 'We could not reach our server. Please check your connection.');
  }
  if (!response.ok) throw await toError(response, path);
  return response;
}

async function read<T>(response: Response): Promise<T> {
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json().catch(() => {
    throw new ApiError(response.status, DEFAULT_MESSAGE);
  });
  return unwrap(answer) as T;
}

function call<T>(method: Method, path: string, body: unknown, options: CallOptions): Promise<T> {
  return atLeast(exchange(method, path, body, options).then(read<T>));
}

/** A file with the name its sender gave it. */
async function file(path: string, options: CallOptions): Promise<File> {
  const response = await exchange('GET', path, undefined, options);
  const named = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '');
  return new File([await response.blob()], named?.[1] ?? 'document.pdf', {
    type: response.headers.get('Content-Type') ?? '',
  });
}

export const api = {
  get: <T>(path: string, options: CallOptions = {}) => call<T>('GET', path, undefined, options),
  post: <T>(path: string, body: unknown = {}, options: CallOptions = {}) =>
    call<T>('POST', path, body, options),
  put: <T>(path: string, body: unknown = {}, options: CallOptions = {}) =>
    call<T>('PUT', path, body, options),
  file: (path: string, options: CallOptions = {}) => file(path, options),
};
