import { Button, Text } from '@mantine/core';
import type { QuoteInfo } from '../../../api/types';
import { formatDate, lastMoment } from '../../../lib/dates/dates';
import { LAST_STEP, paths } from '../../../lib/routes/paths';
import { AppLink } from '../../../ui/basics/AppLink';
import { ContactLine, MessagePage } from '../../../ui/feedback/MessagePage';
import type { Payability } from './payability';

type Reason = Exclude<Payability, 'ready' | 'bought'>;

const TITLES: Record<Reason, string> = {
  expired: 'This quote has expired',
  refused: "We can't sell this cover online",
  incomplete: 'Your quote is not finished yet',
  unaccepted: 'Please check your answers first',
};

function UnpayableReason({ info, state }: { info: QuoteInfo; state: Reason }) {
  if (state === 'expired') {
    const day = lastMoment(info.dates.quote_expiry);
    return (
      <Text>
        Its price was held{day ? ` until ${formatDate(day)}` : ' for a while'} and has to be worked
        out again. Your answers are kept.
      </Text>
    );
  }
  if (state === 'refused') {
    return <Text>{info.reason ?? 'Please call us and we will see what we can do.'}</Text>;
  }
  if (state === 'incomplete') {
    return <Text>A few answers are missing before we can take a payment.</Text>;
  }
  return (
    <Text>
      Before you pay we ask you to check your answers and agree to the terms. You haven't done so
      for this version of your quote.
    </Text>
  );
}

/** Explains why the customer can't pay, with a link to the quote. */
export function NotPayable({ info, state }: { info: QuoteInfo; state: Reason }) {
  return (
    <MessagePage
      title={TITLES[state]}
      actions={
        <Button component={AppLink} to={paths.quoteEdit(info.uuid, { step: LAST_STEP })}>
          Back to your quote
        </Button>
      }
    >
      <UnpayableReason info={info} state={state} />
      {state !== 'unaccepted' && <ContactLine />}
    </MessagePage>
  );
}
