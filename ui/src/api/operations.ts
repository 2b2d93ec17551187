import type { paths } from './schema.gen';

// The calls of the API as types, read from the generated document. Nothing here exists at run time.

export type Method = 'get' | 'put' | 'post';

/** The paths that take a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

/** What the document says of one call. */
export type Operation<M extends Method, P extends PathOf<M>> = paths[P][M];

type Content<T> = T extends { content: infer C } ? C[keyof C] : undefined;
type Responses<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer R } ? R : never;

type OkStatus = 200 | 201 | 204;

/** The JSON of a call that went well, as it is on the wire. */
export type OkBody<M extends Method, P extends PathOf<M>> = Content<
  Responses<M, P>[keyof Responses<M, P> & OkStatus]
>;

/** `{"data": x}` alone is an envelope; a page or a bare answer stays as it is. */
type Unwrapped<T> = T extends { data?: infer D } ? (keyof T extends 'data' ? D : T) : T;

/** What a call that went well comes to, out of its envelope. */
export type Answer<M extends Method, P extends PathOf<M>> = Unwrapped<OkBody<M, P>>;

/** The JSON a call is sent with; undefined where it takes none. */
export type Body<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { requestBody: infer B } ? Content<B> : undefined;

/** The values of a path and a query. */
export type Params<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { parameters: infer A } ? Omit<A, 'header' | 'cookie'> : never;

type Header<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { parameters: infer A } ? Omit<A, 'path' | 'query' | 'cookie'> : never;

type BodyPart<M extends Method, P extends PathOf<M>> =
  Body<M, P> extends undefined ? { body?: never } : { body: Body<M, P> };

/** Everything the document lets a call be sent with. */
export type Sent<M extends Method, P extends PathOf<M>> = Params<M, P> &
  Header<M, P> &
  BodyPart<M, P>;

/** The paths whose answer is a file. */
export type FilePath = {
  [P in PathOf<'get'>]: paths[P]['get'] extends {
    responses: { 200: { content: { 'application/pdf': unknown } } };
  }
    ? P
    : never;
}[PathOf<'get'>];

/** Arguments that may be left out where nothing in them is required. */
export type Optional<T> = object extends T ? [T?] : [T];
