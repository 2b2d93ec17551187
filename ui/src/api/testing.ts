import { vi } from 'vitest';
import type { FieldErrors } from './client';
import type { Body, FilePath, Method, OkBody, Params, PathOf } from './operations';
import type { components } from './schema.gen';

// A server for tests. The API document defines the types of its calls and responses. A response
// that differs from the document does not compile.

interface TestOperation<M extends Method, P extends PathOf<M>> {
  params: Params<M, P> extends { path: infer V } ? V : object;
  body: Body<M, P>;
  answer: P extends FilePath ? Response : OkBody<M, P>;
}

type Operations = { [P in PathOf<'get'> as `GET ${P}`]: TestOperation<'get', P> } & {
  [P in PathOf<'put'> as `PUT ${P}`]: TestOperation<'put', P>;
} & { [P in PathOf<'post'> as `POST ${P}`]: TestOperation<'post', P> };

/** A call of the API document, for example `GET /api/v1/site`. */
export type Route = keyof Operations;

export interface Call<R extends Route = Route> {
  method: string;
  /** The address with its query. */
  path: string;
  /** The values in the path. */
  params: Operations[R]['params'];
  query: URLSearchParams;
  body: Operations[R]['body'];
  headers: Headers;
}

type RefusedStatus = 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 503;

/** A failed response, as `refuse` makes it. */
export class Refusal {
  constructor(
    readonly status: RefusedStatus,
    readonly body: components['schemas']['Failure'],
    readonly headers: Record<string, string>,
  ) {}
}

export function refuse(
  status: RefusedStatus,
  message: string,
  more: { code?: string; errors?: FieldErrors; retryAfter?: number } = {},
): Refusal {
  const { code = 'refused', errors, retryAfter } = more;
  const headers: Record<string, string> = {};
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  return new Refusal(status, { message, error: message, code, errors }, headers);
}

/** The JSON that the API document defines, a refusal, or undefined to ask the next server. */
export type Reply<R extends Route> = Operations[R]['answer'] | Refusal | undefined;

export type Handler<R extends Route> = (call: Call<R>) => Reply<R> | Promise<Reply<R>>;

/** The responses, by call. */
export type Server = { [R in Route]?: Handler<R> };

/** Returns a handler that responds only if one of the path's values is `id`. */
export function forId<C extends { params: object }, T>(
  id: string,
  answer: (call: C) => T,
): (call: C) => T | undefined {
  return (call) => (Object.values(call.params).includes(id) ? answer(call) : undefined);
}

/** Returns the values in the path of a call. Returns null if the call does not match the route. */
function match(route: string, { method, path }: Call): Record<string, string> | null {
  const [verb, pattern = ''] = route.split(' ');
  if (verb !== method) return null;
  const patternParts = pattern.split('/');
  const pathParts = (path.split('?')[0] ?? '').split('/');
  if (patternParts.length !== pathParts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of patternParts.entries()) {
    const word = decodeURIComponent(pathParts[index] ?? '');
    if (part.startsWith('{')) params[part.slice(1, -1)] = word;
    else if (part !== word) return null;
  }
  return params;
}

async function replyOf(server: Server, call: Call): Promise<Reply<Route>> {
  // If two patterns match, the pattern with fewer values counts.
  const routes = Object.keys(server).sort((a, b) => a.split('{').length - b.split('{').length);
  for (const route of routes as Route[]) {
    const params = match(route, call);
    if (params) return (server[route] as Handler<Route>)({ ...call, params } as Call);
  }
  return undefined;
}

function toResponse(reply: Exclude<Reply<Route>, undefined>): Response {
  if (reply instanceof Response) return reply;
  if (!(reply instanceof Refusal)) return Response.json(reply);
  return Response.json(reply.body, { status: reply.status, headers: reply.headers });
}

/** Replaces `fetch`. Every later call of the website then gets its response from `answer`. */
export function answerCalls(answer: (call: Call) => Response | Promise<Response>): void {
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, search, searchParams } = new URL(request.url);
    const text = await request.text();
    return answer({
      method: request.method,
      path: `${pathname}${search}`,
      params: {},
      query: searchParams,
      body: text === '' ? undefined : JSON.parse(text),
      headers: request.headers,
    });
  });
}

/** Sets the cookie that the server sets with a session's cookie. */
export function setLoginHint(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: happy-dom has no Cookie Store API
  document.cookie = 'layby_logged_in=1; Path=/';
}

/**
 * Starts servers, for a visitor who may be logged in. The first server that responds to a call counts. Without a response the call gets
 * a 404. Returns the list of calls.
 */
export function startServers(...servers: Server[]): Call[] {
  const calls: Call[] = [];
  // The visitor may be logged in, so the website reads the profile.
  setLoginHint();
  answerCalls(async (call) => {
    calls.push(call);
    for (const server of servers) {
      const reply = await replyOf(server, call);
      if (reply === undefined) continue;
      const response = toResponse(reply);
      if (call.path === '/api/login' && response.ok) setLoginHint();
      return response;
    }
    return toResponse(refuse(404, 'Not found', { code: 'not_found' }));
  });
  return calls;
}

/** Returns the calls of `route`, oldest first, with the values in their paths. */
export function sent<R extends Route>(calls: Call[], route: R): Call<R>[] {
  return calls.flatMap((call) => {
    const params = match(route, call);
    return params ? [{ ...call, params } as Call<R>] : [];
  });
}
