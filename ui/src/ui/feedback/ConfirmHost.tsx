import { lazy, Suspense } from 'react';
import { pendingQuestion } from '../../lib/messages/confirm';
import { loadChunk } from '../../lib/navigation/reload';
import { useSignal } from '../../lib/useSignal';

// Most visits never need the dialog, so its code is loaded on demand.
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
