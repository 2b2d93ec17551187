import { useEffect } from 'react';
import type { LoginPrompt } from '../../api/client';
import { reasonOf, statusOf } from '../../api/failure';
import { joinAccount } from '../../api/session/session';
import type { QuoteInfo } from '../../api/types';
import { showSnackbar } from '../../lib/messages/snackbar';
import { useSubmit } from '../../lib/useSubmit';

export type Joinable = 'quote' | 'policy';

function reason(failure: unknown, kind: Joinable): string {
  if (statusOf(failure) !== 404) return reasonOf(failure);
  return `This ${kind} could not be added. It is in another account already, or the link that opened it no longer works.`;
}

/**
 * Adds a quote or policy to the account of the person logged in. The hook itself adds a quote or
 * policy of the account's own mail address (`auto_claimable`). In other cases, and after a failure,
 * the page calls `add`.
 */
export function useJoin(info: QuoteInfo, kind: Joinable) {
  const { working, failure, run } = useSubmit(() => ({}));
  const join = (login?: LoginPrompt) =>
    void run(async () => {
      await joinAccount(info.uuid, login);
      showSnackbar(`This ${kind} is in your account now.`);
    });

  const joins = info.account === 'auto_claimable';
  // biome-ignore lint/correctness/useExhaustiveDependencies: tried once; then there is a button
  useEffect(() => {
    if (joins) join('never');
  }, [joins]);

  return { add: () => join(), working, failed: failure ? reason(failure, kind) : null };
}
