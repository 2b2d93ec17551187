import { expect, test } from 'vitest';
import { api } from './client';
import { refuse, type Server } from './testing';

// Each call and each server has a type mistake. `tsc` fails on this file if a mistake compiles.

const CALLS = [
  // @ts-expect-error: no such path
  () => api.get('/api/v1/sites'),
  // @ts-expect-error: the path takes another method
  () => api.post('/api/v1/site'),
  // @ts-expect-error: the value of the path has another name
  () => api.get('/api/v1/payment/{id}', { path: { uuid: 'a' } }),
  // @ts-expect-error: the value of the path is missing
  () => api.get('/api/v1/payment/{id}'),
  // @ts-expect-error: no such parameter in the query
  () => api.get('/api/v1/activities', { query: { person: 'a' } }),
  // @ts-expect-error: no such header for this call
  () => api.post('/api/login', { header: { 'Idempotency-Key': 'a' }, body: {} }),
  // @ts-expect-error: no such field in the body
  () => api.post('/api/login', { body: { user: 'ann' } }),
  // @ts-expect-error: a field of the body has another type
  () => api.post('/api/login', { body: { remember: 'yes' } }),
  // @ts-expect-error: the body is missing
  () => api.post('/api/login'),
  // @ts-expect-error: the answer is no file
  () => api.file('/api/v1/site', {}),
  // @ts-expect-error: no such field in the answer
  () => api.get('/api/v1/site').then((site) => site.telephone),
];

const reason = { id: 1, title: 'I sold the vehicle' };

const SERVERS: Server[] = [
  // @ts-expect-error: no such path
  { 'GET /api/v1/sites': () => undefined },
  // @ts-expect-error: the path takes another method
  { 'POST /api/v1/site': () => undefined },
  // @ts-expect-error: a field of the answer is missing
  { 'GET /api/v1/policy/reasons/cancellation': () => ({ data: [{ id: 1 }] }) },
  // @ts-expect-error: the answer has no envelope
  { 'GET /api/v1/policy/reasons/cancellation': () => [reason] },
  // @ts-expect-error: no such field in the body
  { 'POST /api/login': ({ body }) => (body.user ? {} : refuse(401, 'Nobody')) },
  // @ts-expect-error: no such value in the path
  { 'GET /api/v1/payment/{id}': ({ params }) => refuse(404, params.uuid) },
];

test('a call or an answer that the document does not have is an error of the compiler', () => {
  expect([CALLS.length, SERVERS.length]).toEqual([11, 6]);
});
