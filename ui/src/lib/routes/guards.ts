import { isProductName } from './products';

/** The error of an address, with the status that the error page shows. */
export class PageError extends Error {
  override readonly name = 'PageError';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export const NOT_FOUND = 'This page could not be found';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface GuardInput {
  params: Readonly<Record<string, string | undefined>>;
}

type Guard = (input: GuardInput) => void;

const GUARDS: Readonly<Record<string, Guard>> = {
  // An id that is no uuid has no page. The website does not ask the server.
  uuid: ({ params }) => {
    if (params.id !== undefined && !UUID.test(params.id)) throw new PageError(404, NOT_FOUND);
  },
  product: ({ params }) => {
    if (!isProductName(params.product ?? '')) throw new PageError(404, NOT_FOUND);
  },
};

/** Runs a route's guards by name. An unknown name is a mistake in the code: status 500. */
export function runGuards(names: readonly string[], input: GuardInput): null {
  for (const name of names) {
    const guard = Object.hasOwn(GUARDS, name) ? GUARDS[name] : undefined;
    if (!guard) throw new PageError(500, 'Unknown middleware');
    guard(input);
  }
  return null;
}
