import { lazy, Suspense } from 'react';
import { pendingQuestion } from '../../lib/confirm';
import { loadChunk } from '../../lib/reload';
import { useSignal } from '../../lib/signal';

// Most visits never remove anything, so the dialog comes when it is first asked for.
const ConfirmDialog = lazy(() => loadChunk(() => import('./ConfirmDialog')));

export function ConfirmHost() {
  const question = useSignal(pendingQuestion);
  return (
    question && (
      <Suspense>
        <ConfirmDialog question={question} />
      </Suspense>
    )
  );
}
