import { lazy, Suspense } from 'react';
import { useParams } from 'react-router';
import { EditQuote } from '../../features/quote/saved/EditQuote';
import { loadChunk } from '../../lib/navigation/reload';
import { PageSkeleton } from '../../ui/feedback/PageSkeleton';

// Most visits are to a quote, so the code for changing a policy is loaded on demand.
const ChangeScreen = lazy(() =>
  loadChunk(async () => ({
    default: (await import('../../features/policies/change/ChangeScreen')).ChangeScreen,
  })),
);

export default function QuoteEdit() {
  const { id } = useParams();
  const policy = id && (
    <Suspense fallback={<PageSkeleton label="Loading your policy" size={1140} />}>
      <ChangeScreen uuid={id} />
    </Suspense>
  );
  return <EditQuote uuid={id} bought={policy} />;
}
