import type { paths } from './schema.gen';

// The API's calls as types, read from the generated document. Nothing here exists at run time.

export type Method = 'get' | 'put' | 'post';

export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

export type Operation<M extends Method, P extends PathOf<M>> = paths[P][M];

type Content<T> = T extends { content: infer C } ? C[keyof C] : undefined;
type Responses<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer R } ? R : never;

type OkStatus = 200 | 201 | 204;

/** The JSON of a successful response, with its envelope. */
export type OkBody<M extends Method, P extends PathOf<M>> = Content<
  Responses<M, P>[keyof Responses<M, P> & OkStatus]
>;

/** Unwraps `{"data": x}`. A page or a bare response stays as it is. */
type Unwrapped<T> = T extends { data?: infer D } ? (keyof T extends 'data' ? D : T) : T;

/** The JSON of a successful response, without its envelope. */
export type Answer<M extends Method, P extends PathOf<M>> = Unwrapped<OkBody<M, P>>;

/** The JSON of the request; undefined if the call takes none. */
export type Body<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { requestBody: infer B } ? Content<B> : undefined;

/** The values of the path and the query. */
export type Params<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { parameters: infer A } ? Omit<A, 'header' | 'cookie'> : never;

type Header<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { parameters: infer A } ? Omit<A, 'path' | 'query' | 'cookie'> : never;

type BodyPart<M extends Method, P extends PathOf<M>> =
  Body<M, P> extends undefined ? { body?: never } : { body: Body<M, P> };

/** The path, query, headers and body of a request. */
export type Sent<M extends Method, P extends PathOf<M>> = Params<M, P> &
  Header<M, P> &
  BodyPart<M, P>;

/** The paths that return a PDF file. */
export type FilePath = {
  [P in PathOf<'get'>]: paths[P]['get'] extends {
    responses: { 200: { content: { 'application/pdf': unknown } } };
  }
    ? P
    : never;
}[PathOf<'get'>];

/** The argument list of a call. The argument is optional if nothing in it is required. */
export type Optional<T> = object extends T ? [T?] : [T];
