import { useRef, useState } from 'react';
import { api } from '../../api/client';
import { errorsOf } from '../../api/failure';
import type { Answer, Body } from '../../api/operations';
import { useSubmit } from '../../lib/useSubmit';

const CHECK = '/api/v1/cover';

/** The answer by which the visitor searches for cover. */
export type SearchKey = 'registration' | 'reference';

export interface CoverAnswer {
  key: SearchKey;
  result: Answer<'post', typeof CHECK>;
}

/**
 * Returns the last result of a check, and the function that checks the cover. A new check or a
 * changed input removes the result.
 */
export function useCoverCheck() {
  const [answer, setAnswered] = useState<CoverAnswer | null>(null);
  const { form, working, failure, run, forget } = useSubmit(errorsOf);
  const requestCount = useRef(0);

  const ask = (key: SearchKey, typed: string, postcode: string) => {
    const number = ++requestCount.current;
    const body: Body<'post', typeof CHECK> = { [key]: typed, postcode };
    setAnswered(null);
    return run(async () => {
      const result = await api.post(CHECK, { body });
      // Ignores the result if the visitor has changed an input since the request.
      if (number === requestCount.current) setAnswered({ key, result });
    });
  };

  const drop = () => {
    requestCount.current += 1;
    setAnswered(null);
    forget();
  };

  return { form, working, failure, answer, ask, drop };
}
