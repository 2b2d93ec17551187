import { Button } from '@mantine/core';
import type { Aggregator, ProductInfo, SummaryLine } from '../../api/types';
import { ContactBlock } from '../../components/contact/ContactBlock';
import { CoverLines } from '../../components/cover/CoverLines';
import { Partner } from '../../components/cover/Partner';
import { ProductDocuments } from '../../components/documents/ProductDocuments';
import { Icon } from '../../components/icons/Icon';
import { useMoney } from '../../components/money/currency';
import { formatDate } from '../../lib/dates';
import type { CoverDates } from './coverDates';
import { PremiumError, PremiumFigure, type PremiumState } from './PremiumFigure';
import type { Premium } from './pricing';
import { Ratings } from './Ratings';
import classes from './Summary.module.css';

export interface SummaryProps {
  /** "Quote ID: ..." or "Policy ID: ..."; null before anything is saved. */
  reference: string | null;
  holder: string | null;
  aggregator: Aggregator | null;
  price: PremiumState;
  dates: CoverDates | null;
  lines: SummaryLine[];
  documents: ProductInfo['documents'];
  /** Until when a saved price is valid. */
  heldUntil: string | null;
  note?: string;
  onEditCover?: () => void;
}

/** What is being bought, and its price. */
export function Summary(props: SummaryProps) {
  const { premium } = props.price;
  return (
    <div className={classes.summary}>
      <section className={classes.block} aria-label="Cover summary">
        <Partner aggregator={props.aggregator} />
        {props.reference && <p className={classes.reference}>{props.reference}</p>}
        {props.holder && (
          <p className={classes.holder}>
            For <bdi>{props.holder}</bdi>
          </p>
        )}
        <h2 className={classes.heading}>Your Premium</h2>
        {premium || props.price.error ? (
          <PremiumFigure {...props.price} />
        ) : (
          <p className={`${classes.hint} ${classes.none}`}>
            {props.price.pending
              ? 'Working out your price.'
              : 'Choose your cover and your price appears here.'}
          </p>
        )}
        <PremiumError {...props.price} />
        {premium && props.heldUntil && (
          <p className={classes.hint}>We hold this price until {formatDate(props.heldUntil)}.</p>
        )}
        {props.dates && <Dates dates={props.dates} />}
        <div className={classes.policy}>
          <h3 className={classes.heading}>Your Policy</h3>
          <CoverLines lines={props.lines} />
          {props.onEditCover && (
            <Button
              variant="default"
              size="sm"
              fullWidth
              leftSection={<Icon name="pencil" size={18} />}
              onClick={props.onEditCover}
            >
              Edit Cover
            </Button>
          )}
        </div>
        {premium?.basis === 'term' && premium.lines.length > 0 && <MadeUpOf premium={premium} />}
        <ProductDocuments documents={props.documents} />
        {props.note && <p className={classes.note}>{props.note}</p>}
      </section>
      <Ratings />
      <ContactBlock />
    </div>
  );
}

function Dates({ dates }: { dates: CoverDates }) {
  return (
    <div>
      <h3 className={classes.heading}>Your Cover Dates</h3>
      <p className={`${classes.dates} tabular`}>
        {formatDate(dates.from)} to {formatDate(dates.to)}
      </p>
    </div>
  );
}

/** The lines of the price; their sum is the price. */
function MadeUpOf({ premium }: { premium: Premium }) {
  const write = useMoney();
  return (
    <details className={classes.breakdown}>
      <summary>How your price is made up</summary>
      <dl>
        {premium.lines.map((line) => (
          <div key={line.code}>
            <dt>
              {line.label}
              {line.note && <span className={classes.lineNote}>{line.note}</span>}
            </dt>
            <dd className="tabular">{write(line.amount, premium.currency)}</dd>
          </div>
        ))}
        <div className={classes.total}>
          <dt>Total</dt>
          <dd className="tabular">{write(premium.amount, premium.currency)}</dd>
        </div>
      </dl>
    </details>
  );
}
