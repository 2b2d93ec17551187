import type { ReactNode } from 'react';
import type { Option, Scalar } from '../../../form/types';
import classes from './LevelStrip.module.css';

interface Props {
  options: Option[];
  chosen: Scalar;
  /** The assumption behind the prices. */
  note: string | null;
  priceOf: (option: Option) => ReactNode;
  onChoose: (value: Option['value']) => void;
}

/** Shows every level with its price, below the headline. */
export function LevelStrip({ options, chosen, note, priceOf, onChoose }: Props) {
  return (
    <fieldset className={classes.strip}>
      <legend className={classes.note}>{note ?? 'What each level costs'}</legend>
      <div className={classes.row}>
        {options.map((option) => (
          <button
            key={option.value}
            type="button"
            className={classes.level}
            aria-pressed={option.value === chosen}
            onClick={() => onChoose(option.value)}
          >
            <span className={classes.name}>{option.label}</span>
            {priceOf(option)}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
