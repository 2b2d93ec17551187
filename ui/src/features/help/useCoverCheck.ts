import { useRef, useState } from 'react';
import { api } from '../../api/client';
import { errorsOf } from '../../api/failure';
import type { Answer, Body } from '../../api/operations';
import { useSubmit } from '../../lib/useSubmit';

const CHECK = '/api/v1/cover';

/** What cover is looked for by. */
export type SearchKey = 'registration' | 'reference';

export interface CoverAnswer {
  by: SearchKey;
  found: Answer<'post', typeof CHECK>;
}

/** Asks whether there is cover; the answer is kept until something else is typed. */
export function useCoverCheck() {
  const [answer, setAnswered] = useState<CoverAnswer | null>(null);
  const { form, working, failure, run, forget } = useSubmit(errorsOf);
  const asked = useRef(0);

  const ask = (by: SearchKey, typed: string, postcode: string) => {
    const number = ++asked.current;
    const body: Body<'post', typeof CHECK> = { [by]: typed, postcode };
    setAnswered(null);
    return run(async () => {
      const found = await api.post(CHECK, { body });
      // What was typed since is about something else.
      if (number === asked.current) setAnswered({ by, found });
    });
  };

  const drop = () => {
    asked.current += 1;
    setAnswered(null);
    forget();
  };

  return { form, working, failure, answer, ask, drop };
}
