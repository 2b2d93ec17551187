import { useEffect, useRef, useState } from 'react';
import { ApiError, api } from '../../../api/client';
import { formatPostcode } from '../../../lib/format/uk';
import type { FoundAddress } from '../../types';
import { type Deadline, lookUpDeadline } from '../lookUpTimeout';

/** The result of an address search. */
export type Search =
  | { state: 'none' }
  | { state: 'asking' }
  | { state: 'found'; addresses: FoundAddress[] }
  /** The house or postcode is unknown. `suggestions` are similar houses or postcodes. */
  | { state: 'unknown'; suggestions: string[] }
  /** The service is off, slow or faulty. */
  | { state: 'failed' }
  | { state: 'refused'; fault: string };

/** Returns the text to store for an address: its lines and its town, without the postcode. */
export function linesOf(address: FoundAddress): string {
  return [address.line1, address.line2, address.line3, address.town]
    .flatMap((line) => (line?.trim() ? [line.trim()] : []))
    .join('\n');
}

async function ask(postcode: string, house: string, { signal, inTime }: Deadline): Promise<Search> {
  try {
    const addresses = await inTime(
      api.post('/api/v1/lookup/address', {
        body: house === '' ? { postcode } : { postcode, house },
        signal,
      }),
    );
    if (!Array.isArray(addresses)) return { state: 'failed' };
    return addresses.length > 0
      ? { state: 'found', addresses }
      : { state: 'unknown', suggestions: [] };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      return { state: 'unknown', suggestions: [...error.suggestions] };
    }
    const fault = error instanceof ApiError && error.status === 422 && error.errors.postcode?.[0];
    if (fault) return { state: 'refused', fault };
    return { state: 'failed' };
  }
}

/** Finds addresses by postcode and house. A new search cancels the running search. */
export function useAddressSearch() {
  const [search, setSearch] = useState<Search>({ state: 'none' });
  const running = useRef<(() => void) | null>(null);

  const stop = () => {
    running.current?.();
    running.current = null;
  };
  useEffect(
    () => () => {
      running.current?.();
      running.current = null;
    },
    [],
  );

  const find = async (postcode: string, house: string): Promise<Search | null> => {
    stop();
    const deadline = lookUpDeadline();
    const { end } = deadline;
    running.current = end;
    setSearch({ state: 'asking' });
    const outcome = await ask(formatPostcode(postcode.trim()), house.trim(), deadline);
    if (running.current !== end) return null;
    stop();
    setSearch(outcome);
    return outcome;
  };

  const forget = () => {
    stop();
    setSearch({ state: 'none' });
  };

  return { search, find, forget };
}
