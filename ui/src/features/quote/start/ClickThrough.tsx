import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { isPassing, reasonOf, statusOf } from '../../../api/failure';
import { paths } from '../../../lib/routes/paths';
import { useSubmit } from '../../../lib/useSubmit';
import { AppLink } from '../../../ui/basics/AppLink';
import { MissingId } from '../../../ui/errors/MissingId';
import { RecentErrors } from '../../../ui/errors/RecentErrors';
import { ContactLine, MessagePage } from '../../../ui/feedback/MessagePage';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { FormError } from '../../../ui/inputs/FormError';
import { hasNoAddress, isUsed, mailLink, useClickThrough } from './useClickThrough';

/** Shows the landing page for customers of a comparison site. */
export function ClickThrough({ id }: { id: string | undefined }) {
  return id ? <QuoteOpener id={id} /> : <MissingId what="quote" />;
}

function NewQuoteLink({ primary = false }: { primary?: boolean }) {
  return (
    <Button component={AppLink} to={paths.home()} variant={primary ? 'filled' : 'default'}>
      Start a new quote
    </Button>
  );
}

function QuoteOpener({ id }: { id: string }) {
  const { error, retry } = useClickThrough(id);
  if (!error) return <PageSkeleton label="Opening your quote" size={1140} />;
  return isUsed(error) ? <Used id={id} /> : <Failed error={error} onRetry={retry} />;
}

/**
 * Tells that the link was already used. A link opens the quote once. The customer can request a
 * mail with a new link.
 */
function Used({ id }: { id: string }) {
  const [sent, setSent] = useState(false);
  const { working, failure, run } = useSubmit(() => ({}));
  const send = () =>
    void run(async () => {
      await mailLink(id);
      setSent(true);
    });

  if (hasNoAddress(failure)) {
    return (
      <MessagePage title="This link was used before" actions={<NewQuoteLink primary />}>
        <Text>
          There is no email address in this quote, so there is nowhere to send a new link to. We can
          find your quote for you on the telephone.
        </Text>
        <ContactLine />
      </MessagePage>
    );
  }
  return (
    <MessagePage
      title="This link was used before"
      actions={
        <>
          <Button
            variant={sent ? 'default' : 'filled'}
            aria-disabled={working || undefined}
            onClick={send}
          >
            {working ? 'Please wait...' : sent ? 'Send the link again' : 'Email me a link'}
          </Button>
          <NewQuoteLink />
        </>
      }
    >
      <div>
        <Text>
          To keep your details private, the link you followed opens your quote once, in the browser
          that followed it first. We can email you a new link, to the address in the quote.
        </Text>
        <div role="status">
          {sent && (
            <Text fw={600} mt="md">
              We have sent the link. It comes in a few minutes.
            </Text>
          )}
        </div>
        <FormError texts={failure ? [reasonOf(failure)] : []} />
      </div>
      <ContactLine />
    </MessagePage>
  );
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isTemporary = isPassing(error);
  const unknown = statusOf(error) === 404;
  return (
    <MessagePage
      title={unknown ? 'This link no longer works' : "We couldn't open your quote"}
      actions={
        <>
          {isTemporary && <Button onClick={onRetry}>Try again</Button>}
          <NewQuoteLink primary={!isTemporary} />
        </>
      }
    >
      <Text>
        {unknown
          ? 'It is not complete, or its quote has run out. Comparing again, or a new quote here, brings you a price of today.'
          : isTemporary
            ? 'Nothing is lost. Please try again in a moment.'
            : 'Something about this link is not right. A new quote takes about two minutes.'}
      </Text>
      <ContactLine />
      <RecentErrors />
    </MessagePage>
  );
}
