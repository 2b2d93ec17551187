import { vi } from 'vitest';
import type { FieldErrors } from './client';
import type { Body, FilePath, Method, OkBody, Params, PathOf } from './operations';
import type { components } from './schema.gen';

// A server for tests, typed by the same document as the client: an answer to a call that doesn't
// exist, or one that isn't what the document says, doesn't compile.

interface Operation<M extends Method, P extends PathOf<M>> {
  params: Params<M, P> extends { path: infer V } ? V : object;
  body: Body<M, P>;
  answer: P extends FilePath ? Response : OkBody<M, P>;
}

type Operations = { [P in PathOf<'get'> as `GET ${P}`]: Operation<'get', P> } & {
  [P in PathOf<'put'> as `PUT ${P}`]: Operation<'put', P>;
} & { [P in PathOf<'post'> as `POST ${P}`]: Operation<'post', P> };

/** A call of the document, for example `GET /api/v1/site`. */
export type Route = keyof Operations;

/** A call as the server gets it. */
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

/** The answer to a call that fails, as `refuse` makes it. */
export class Refusal {
  constructor(
    readonly status: RefusedStatus,
    readonly body: components['schemas']['Failure'],
    readonly headers: Record<string, string>,
  ) {}
}

/** The answer to a call that fails. */
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

/** The JSON of the document, a refusal, or undefined: then the next server is asked. */
export type Reply<R extends Route> = Operations[R]['answer'] | Refusal | undefined;

export type Handler<R extends Route> = (call: Call<R>) => Reply<R> | Promise<Reply<R>>;

/** What a server answers, by the call. */
export type Server = { [R in Route]?: Handler<R> };

/** Answers only a call about this id, which is a value of its path. */
export function forId<C extends { params: object }, T>(
  id: string,
  answer: (call: C) => T,
): (call: C) => T | undefined {
  return (call) => (Object.values(call.params).includes(id) ? answer(call) : undefined);
}

/** The values in a call's path; null where the call is another one. */
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
  // Of two that fit, the one with fewer values in its path is the call.
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

/** Answers every call of the website from here on. */
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

/** Starts servers, of which the first that answers a call counts; the calls made are listed. */
export function startServers(...servers: Server[]): Call[] {
  const calls: Call[] = [];
  answerCalls(async (call) => {
    calls.push(call);
    for (const server of servers) {
      const reply = await replyOf(server, call);
      if (reply !== undefined) return toResponse(reply);
    }
    return toResponse(refuse(404, 'Not found', { code: 'not_found' }));
  });
  return calls;
}

/** The calls of a kind among those made, in their order. */
export function sent<R extends Route>(calls: Call[], route: R): Call<R>[] {
  return calls.flatMap((call) => {
    const params = match(route, call);
    return params ? [{ ...call, params } as Call<R>] : [];
  });
}
