import { Icon } from '../../components/icons/Icon';
import type { ProductInfo } from '../../form/types';
import { formatMoney } from '../../lib/money';
import { Assumptions } from './Assumptions';
import classes from './Hero.module.css';
import { currencyOf } from './stepperState';

/** The product's headline and three facts about it. */
export function Hero({ info }: { info: ProductInfo }) {
  const { currency, locale } = currencyOf(info);
  return (
    <div className={classes.hero}>
      <h1 className={classes.headline}>{info.headline}</h1>
      {info.price_from !== undefined && (
        <p className={classes.from}>
          From <strong>{formatMoney(info.price_from, currency, locale)}</strong> a year
          {info.price_from_for && ` for ${info.price_from_for}`}
        </p>
      )}
      <ul className={classes.facts}>
        {info.facts.map((fact) => (
          <li key={fact}>
            <Icon name="check" size={20} strokeWidth={2.5} />
            <span>{fact}</span>
          </li>
        ))}
      </ul>
      <Assumptions assumptions={info.assumptions} />
    </div>
  );
}
