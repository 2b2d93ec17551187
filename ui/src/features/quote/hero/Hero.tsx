import type { ReactNode } from 'react';
import type { ProductInfo } from '../../../form/types';
import { formatMoney } from '../../../lib/format/money';
import { TickIcon } from '../../../ui/icons/icons';
import type { StepperState } from '../steps/stepperState';
import { Assumptions } from './Assumptions';
import classes from './Hero.module.css';

interface Props {
  info: ProductInfo;
  stepper: Pick<StepperState, 'currencyFormat' | 'minBindDays'>;
  /** What the visitor's campaign makes free. */
  offers?: string[];
  /** The first question of the form. */
  startField?: ReactNode;
  /** Every level with its price. */
  levels?: ReactNode;
  /** The picture beside the text. */
  map?: ReactNode;
}

/** Returns the text about the first possible day of cover, `days` days from today. */
export function earliestStartText(days: number): string {
  if (days === 0) return 'Starts as early as today';
  if (days === 1) return 'Starts as early as tomorrow';
  return `Starts as early as ${days} days from now`;
}

/** Shows the product's headline, its facts, and the first question. */
export function Hero({ info, stepper, offers = [], startField, levels, map }: Props) {
  const { currency, locale } = stepper.currencyFormat;
  return (
    <div className={classes.hero} data-pictured={map !== undefined || undefined}>
      <div className={classes.intro}>
        <h1 className={classes.headline}>{info.headline}</h1>
        {info.price_from !== undefined && (
          <p className={classes.from}>
            From <strong>{formatMoney(info.price_from, currency, locale)}</strong> a year
            {info.price_from_for && ` for ${info.price_from_for}`}
          </p>
        )}
        <ul className={classes.facts}>
          {[...offers, ...info.facts, earliestStartText(stepper.minBindDays)].map((fact) => (
            <li key={fact}>
              <TickIcon />
              <span>{fact}</span>
            </li>
          ))}
        </ul>
        {startField}
        {levels}
        <Assumptions assumptions={info.assumptions} />
      </div>
      {map}
    </div>
  );
}
