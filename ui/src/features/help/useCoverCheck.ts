import { useRef, useState } from 'react';
import { api } from '../../api/client';
import { errorsOf } from '../../api/failure';
import type { Answer, Body } from '../../api/operations';
import { useSubmit } from '../../lib/useSubmit';

const CHECK = '/api/v1/cover';

/** What cover is looked for by. */
export type SearchKey = 'registration' | 'reference';

export interface CoverAnswer {
  key: SearchKey;
  result: Answer<'post', typeof CHECK>;
}

/** Asks whether there is cover; the answer is kept until something else is typed. */
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
      // What was typed since is about something else.
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
