import { Anchor } from '@mantine/core';
import { useSite } from '../../api/hooks';
import type { QuoteInfo } from '../../api/types';
import { Price } from '../../components/money/Price';
import { formatLongDate } from '../../lib/dates';
import classes from './Journey.module.css';
import type { Premium } from './pricing';
import { RenewByItself, type Renewing } from './RenewByItself';

interface Props {
  premium: Premium | null;
  quote: QuoteInfo | null;
  renewing: Renewing;
}

/** The amount to pay, whether the cover is to renew, and what happens after the payment. */
export function BeforePaying({ premium, quote, renewing }: Props) {
  const { data: site } = useSite();
  const starts = premium?.inception ?? quote?.dates.inception;
  return (
    <div className={classes.total}>
      <p className={classes.amount}>
        <span>To pay</span>
        <Price
          amount={premium?.amount}
          currency={premium?.currency}
          per={premium?.per}
          basis={premium?.basis}
        />
      </p>
      <p>
        You pay by card on the next page.
        {starts &&
          ` Your cover starts on ${formatLongDate(starts)}; you see the exact time as soon as you have paid.`}
      </p>
      {premium?.per === 'year' && <RenewByItself {...renewing} />}
      {site && (
        <p>
          <Anchor href={site.links.terms} target="_blank" rel="noopener noreferrer">
            Read the terms and conditions
          </Anchor>{' '}
          (opens in a new tab)
        </p>
      )}
    </div>
  );
}
