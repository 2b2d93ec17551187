import { Button, Stack, Text, Title } from '@mantine/core';
import type { Aggregator, PlanOffer, ProductInfo, SummaryLine } from '../../../api/types';
import { formatDate } from '../../../lib/dates/dates';
import { CoverLines } from '../../../shared/cover/CoverLines';
import { Partner } from '../../../shared/cover/Partner';
import { ProductDocuments } from '../../../shared/documents/ProductDocuments';
import { useMoney } from '../../../shared/money/currency';
import { besideAnnualText } from '../../../shared/payment/monthlyText';
import { ContactBlock } from '../../../ui/contact/ContactBlock';
import { Icon } from '../../../ui/icons/Icon';
import { PremiumError, PremiumFigure, type PremiumState } from '../price/PremiumFigure';
import type { Premium } from '../price/pricing';
import type { CoverDates } from '../start-date/coverDates';
import { Ratings } from './Ratings';
import classes from './Summary.module.css';

export interface SummaryProps {
  /** "Quote ID: ..." or "Policy ID: ..."; null before anything is saved. */
  reference: string | null;
  holder: string | null;
  aggregator: Aggregator | null;
  price: PremiumState;
  /** The plan by which the price can be paid monthly. */
  plan: PlanOffer | null;
  isPlanPending: boolean;
  dates: CoverDates | null;
  lines: SummaryLine[];
  documents: ProductInfo['documents'];
  /** The last moment at which a saved price is valid. */
  priceHeldUntil: string | null;
  note?: string;
  onEditCover?: () => void;
}

/** Shows the summary of the cover with the price, the rating and the contact details. */
export function Summary(props: SummaryProps) {
  const { premium } = props.price;
  return (
    <Stack gap="lg">
      <section className={`panel ${classes.block}`} aria-label="Cover summary">
        <Partner aggregator={props.aggregator} />
        {props.reference && <p className={classes.reference}>{props.reference}</p>}
        {props.holder && (
          <Text c="dimmed">
            For <bdi>{props.holder}</bdi>
          </Text>
        )}
        <Title order={2} className="hint">
          Your Premium
        </Title>
        {premium || props.price.error ? (
          <PremiumFigure {...props.price} />
        ) : (
          <p className={`hint ${classes.none}`}>
            {props.price.pending
              ? 'Working out your price.'
              : 'Choose your cover and your price appears here.'}
          </p>
        )}
        {premium && props.plan && (
          <MonthlyLine plan={props.plan} isPending={props.isPlanPending} premium={premium} />
        )}
        <PremiumError {...props.price} />
        {premium && props.priceHeldUntil && (
          <p className="hint">We hold this price until {formatDate(props.priceHeldUntil)}.</p>
        )}
        {props.dates && <Dates dates={props.dates} />}
        <Stack gap="sm">
          <Title order={3} className="hint">
            Your Policy
          </Title>
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
        </Stack>
        {premium?.basis === 'term' && premium.lines.length > 0 && <PriceParts premium={premium} />}
        <ProductDocuments documents={props.documents} />
        {props.note && <p className="hint">{props.note}</p>}
      </section>
      <Ratings />
      <ContactBlock />
    </Stack>
  );
}

function MonthlyLine(props: { plan: PlanOffer; isPending: boolean; premium: Premium }) {
  const write = useMoney();
  return (
    <Text className="tabular" c={props.isPending ? 'dimmed' : undefined}>
      {besideAnnualText(props.plan, (amount) => write(amount, props.premium.currency))}
    </Text>
  );
}

function Dates({ dates }: { dates: CoverDates }) {
  return (
    <div>
      <Title order={3} className="hint">
        Your Cover Dates
      </Title>
      <Text fw={600} className="tabular">
        {formatDate(dates.from)} to {formatDate(dates.to)}
      </Text>
    </div>
  );
}

/** Shows the lines of the price. Their sum is the price. */
function PriceParts({ premium }: { premium: Premium }) {
  const write = useMoney();
  return (
    <details className={`more tabular ${classes.breakdown}`}>
      <summary>How your price is made up</summary>
      <dl>
        {premium.lines.map((line) => (
          <div key={line.code}>
            <dt>
              {line.label}
              {line.note && <span className={classes.lineNote}>{line.note}</span>}
            </dt>
            <dd>{write(line.amount, premium.currency)}</dd>
          </div>
        ))}
        <div className={classes.total}>
          <dt>Total</dt>
          <dd>{write(premium.amount, premium.currency)}</dd>
        </div>
      </dl>
    </details>
  );
}
