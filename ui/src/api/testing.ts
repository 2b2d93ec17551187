import { vi } from 'vitest';

/** A call as the server gets it. */
export interface Call {
  method: string;
  /** The address with its query. */
  path: string;
  body: unknown;
  headers: Headers;
}

/** Answers every call of the website from here on. */
export function answerCalls(answer: (call: Call) => Response | Promise<Response>): void {
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    return answer({
      method: request.method,
      path: `${pathname}${search}`,
      body: text === '' ? undefined : JSON.parse(text),
      headers: request.headers,
    });
  });
}
