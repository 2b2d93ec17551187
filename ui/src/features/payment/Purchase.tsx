import type { QuoteInfo } from '../../api/types';
import { Panel } from '../../components/basics/Panel';
import { Partner } from '../../components/cover/Partner';
import { Price } from '../../components/money/Price';
import { formatDate } from '../../lib/dates';
import classes from './Payment.module.css';

/** What is bought, and its price. */
export function Purchase({ info, amount }: { info: QuoteInfo; amount: number }) {
  const { inception, expiry } = info.dates;
  return (
    <Panel title="What you are buying">
      <Partner aggregator={info.aggregator} className={classes.partner} />
      <p className={classes.product}>{info.product_title}</p>
      <dl className={classes.facts}>
        <div>
          <dt>Quote ID</dt>
          <dd>{info.custom_id}</dd>
        </div>
        <div>
          <dt>Your Cover Dates</dt>
          <dd>
            {formatDate(inception)} to {formatDate(expiry)}
          </dd>
        </div>
      </dl>
      <ul className={classes.lines}>
        {info.summary.map((line) => (
          <li key={line.code}>{line.text}</li>
        ))}
      </ul>
      <p className={classes.due}>
        <span>To pay now</span>
        <Price amount={amount} currency={info.price?.currency} size="lg" />
      </p>
      <p className={classes.small}>Insurance premium tax is included.</p>
    </Panel>
  );
}
