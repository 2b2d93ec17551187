import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useProduct, useProfile, useQuoteRead, useStepper } from '../../../api/hooks';
import { useRenewal } from '../../../api/policies/policy';
import { type QuoteInfo, STATUS, UNFINISHED } from '../../../api/types';
import { useAllLoaded } from '../../../lib/timing/useAllLoaded';
import { FormLoadError } from '../../../ui/errors/FormLoadError';
import { LoadError } from '../../../ui/errors/LoadError';
import { MissingId } from '../../../ui/errors/MissingId';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { QuoteUnavailable } from './QuoteUnavailable';
import { resumeStep } from './resumeStep';
import { SavedQuoteForm } from './SavedQuoteForm';
import { useResume } from './useResume';

/** Statuses of a quote that is for sale only after a change or a new start. */
const ENDED_STATUSES: readonly number[] = [STATUS.refer, STATUS.notTakenUp, STATUS.declined];

/**
 * Checks whether a quote is for sale only after a change or a new start. A lapsed quote can be
 * saved again, but a lapsed renewal cannot.
 */
function isEnded({ status_id, flags }: QuoteInfo): boolean {
  return ENDED_STATUSES.includes(status_id) || (status_id === STATUS.lapsed && flags.renewal_quote);
}

/** Shows a saved quote, or `bought` after the purchase. */
export function EditQuote({
  uuid,
  bought: policyScreen,
}: {
  uuid: string | undefined;
  bought: ReactNode;
}) {
  return uuid ? <ResumeLink uuid={uuid} bought={policyScreen} /> : <MissingId what="quote" />;
}

/**
 * Exchanges the secret of a mailed link for a token, if the address has a secret. Then loads the
 * quote.
 */
function ResumeLink({ uuid, bought: policyScreen }: { uuid: string; bought: ReactNode }) {
  const resumed = useResume(uuid);
  if (resumed === 'opening') return <PageSkeleton label="Opening your quote" size={1140} />;
  if (typeof resumed === 'object') {
    return <LoadError what="quote" error={resumed.error} onRetry={resumed.retry} />;
  }
  return (
    <QuoteLoader
      uuid={uuid}
      deadLink={resumed === 'dead'}
      openedByLink={resumed === 'resumed'}
      policyScreen={policyScreen}
    />
  );
}

/**
 * Redirects a visitor with a mailed link to the quote's step, once. Does not change an address that
 * has a step. Returns false until the redirect is done.
 */
function useRedirectToStep(openedByLink: boolean, info: QuoteInfo | undefined): boolean {
  const [params, setParams] = useSearchParams();
  const [isAtStep, setIsAtStep] = useState(!openedByLink);
  const step = isAtStep || !info || params.has('step') ? undefined : resumeStep(info);
  if (!isAtStep && info && step === undefined) setIsAtStep(true);
  useEffect(() => {
    if (step !== undefined) setParams({ step }, { replace: true });
  }, [step, setParams]);
  return isAtStep;
}

interface QuoteLoaderProps {
  uuid: string;
  deadLink: boolean;
  /** Whether a mailed link has just opened the quote. */
  openedByLink: boolean;
  policyScreen: ReactNode;
}

function QuoteLoader({ uuid, deadLink, openedByLink, policyScreen }: QuoteLoaderProps) {
  const quote = useQuoteRead(uuid);
  const identifier = quote.data?.info.product_identifier ?? null;
  const product = useProduct(identifier);
  const stepper = useStepper(identifier);
  // The page waits for the comparison of a renewal, which is at the top of the page.
  const flags = quote.data?.info.flags;
  const renewal = useRenewal(flags?.renewal_quote && !flags.policy ? uuid : null);
  // The page waits for the policyholder's name, which is above the price.
  const holder = useProfile(uuid);
  const isLoaded = useAllLoaded([quote, product, stepper, renewal, holder]);
  // The revision of a declined or referred quote whose answers the visitor corrects, for example a
  // mistyped date.
  const [correcting, setCorrecting] = useState<number | null>(null);
  // The count gives the form a new key, which restarts the form with the latest data of the quote.
  const [resetCount, setResetCount] = useState(0);
  const isAtStep = useRedirectToStep(openedByLink, quote.data?.info);

  if (quote.error && !quote.data) {
    const retry = () => void quote.mutate();
    return <LoadError what="quote" error={quote.error} deadLink={deadLink} onRetry={retry} />;
  }
  const failed = product.error ?? stepper.error;
  if (failed && !(product.data && stepper.data)) {
    const mutate = () => {
      void product.mutate();
      void stepper.mutate();
    };
    const isValidating = product.isValidating || stepper.isValidating;
    return <FormLoadError read={{ isValidating, mutate }} />;
  }
  if (!quote.data || !product.data || !stepper.data || !isLoaded || !isAtStep) {
    return <PageSkeleton label="Loading your quote" size={1140} />;
  }

  const { info } = quote.data;
  if (info.flags.policy || info.status_id === STATUS.live) return policyScreen;
  if (isEnded(info) && correcting !== info.revision_id) {
    return (
      <QuoteUnavailable
        quote={quote.data}
        product={product.data}
        onCorrect={() => setCorrecting(info.revision_id)}
      />
    );
  }
  return (
    <SavedQuoteForm
      key={resetCount}
      quote={quote.data}
      product={product.data}
      stepper={stepper.data}
      startOpen={correcting === info.revision_id || UNFINISHED.includes(info.status_id)}
      onReload={() => setResetCount((now) => now + 1)}
    />
  );
}
