import type { Card, CardPolicy } from '../api/policies/rescueCard';

/** Returns a year's cover for two vehicles from 25 November 2026. */
export function policyWith(changes: Partial<CardPolicy> = {}): CardPolicy {
  return {
    reference: 'BRK000000018',
    title: 'Vehicle breakdown cover',
    lines: ['AB12 CDE, K1 NGS', 'Vehicle cover', 'National cover'],
    registrations: ['AB12 CDE', 'K1 NGS'],
    status: 'live',
    cover_periods: [{ begins: '2026-11-25T00:00:00Z', ends: '2027-11-25T00:00:00Z' }],
    phone: '01632 960 999',
    documents: [{ identifier: 'd1', title: 'Policy Schedule', is_ready: true, date: null }],
    ...changes,
  };
}

export function cardWith(changes: Partial<Card> = {}): Card {
  return {
    brand: 'layby',
    assistance_phone: '01632 960 999',
    assistance_text: null,
    policies: [policyWith()],
    as_of: '2026-11-21T12:00:00Z',
    ...changes,
  };
}

/** A browser's locks, as far as the card uses them. Each request waits for the request before. */
export class FakeLocks {
  private last: Promise<unknown> = Promise.resolve();

  request = <T>(_name: string, work: () => Promise<T>): Promise<T> => {
    const result = this.last.then(work, work);
    this.last = result.catch(() => undefined);
    return result;
  };
}

/** Fakes the methods of Cache Storage that `api/policies/rescueCard.ts` calls. */
export class FakeCaches {
  readonly stored = new Map<string, Map<string, Response>>();

  has = async (name: string) => this.stored.has(name);
  delete = async (name: string) => this.stored.delete(name);
  open = async (name: string) => {
    const own = this.stored.get(name) ?? new Map<string, Response>();
    this.stored.set(name, own);
    const keyOf = (path: string) => new URL(path, 'http://shop.test').pathname;
    return {
      match: async (path: string) => own.get(keyOf(path))?.clone(),
      put: async (path: string, answer: Response) => void own.set(keyOf(path), answer),
      delete: async (path: string) => own.delete(keyOf(path)),
      keys: async () => [...own.keys()].map((path) => ({ url: `http://shop.test${path}` })),
    };
  };
}
