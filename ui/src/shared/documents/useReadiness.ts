import { useEffect, useState } from 'react';
import { checkDocuments } from '../../api/policies/documents';
import type { PolicyDocument } from '../../api/policies/policyTypes';
import { recordError } from '../../lib/errors';
import { showSnackbar } from '../../lib/messages/snackbar';

/**
 * The pauses between checks, in milliseconds. Most documents are rendered within seconds, so the
 * pauses grow. The last pause repeats.
 */
export const CHECK_MS = [2000, 3000, 5000, 8000, 13_000, 30_000] as const;

function pauseMs(checkCount: number): number {
  return CHECK_MS[Math.min(checkCount, CHECK_MS.length - 1)] ?? CHECK_MS[0];
}

/**
 * Checks the pending documents until all are ready or a check fails. `again` continues after a
 * failure.
 */
export function useReadiness(documents: PolicyDocument[], quote: string) {
  const [readiness, setReadiness] = useState<Record<string, boolean>>({});
  const [checkCount, setCheckCount] = useState(0);
  const [failed, setFailed] = useState(false);
  const isReady = (document: PolicyDocument) =>
    document.is_ready || readiness[document.identifier] === true;
  // This is a text, because a new array of the same documents would restart the checks.
  const waiting = documents
    .filter((document) => !isReady(document))
    .map((document) => document.identifier)
    .join('\n');

  useEffect(() => {
    if (!waiting || failed) return;
    let isUnmounted = false;
    const check = async () => {
      try {
        const answer = await checkDocuments(waiting.split('\n'), quote);
        if (isUnmounted) return;
        setReadiness((now) => ({ ...now, ...answer }));
        setCheckCount(checkCount + 1);
      } catch (error) {
        if (isUnmounted || !(error instanceof Error)) return;
        recordError({ message: error.message });
        showSnackbar(error.message);
        setFailed(true);
      }
    };
    const timer = setTimeout(() => void check(), pauseMs(checkCount));
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
    };
  }, [waiting, quote, checkCount, failed]);

  const retry = () => {
    setCheckCount(0);
    setFailed(false);
  };
  return { isReady, waiting: waiting !== '', failed, again: retry };
}
