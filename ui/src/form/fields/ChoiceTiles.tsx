import type { ReactNode } from 'react';
import { Icon } from '../../ui/icons/Icon';
import classes from './Field.module.css';
import { describedBy, ErrorText, OPTION_ICON } from './shared';

interface Tile<T> {
  value: T;
  label: string;
  description?: string;
  icon?: string;
  extra?: ReactNode;
}

interface Props<T> {
  /** The id of the first radio button. */
  id: string;
  name: string;
  legend: ReactNode;
  /** Whether the legend is as large as a card's title, for a question that is alone on its card. */
  prominent?: boolean;
  help?: string;
  choices: Tile<T>[];
  value: T | null | undefined;
  error?: string;
  locked?: boolean;
  onChange: (value: T) => void;
  /** The content below the tiles. */
  children?: ReactNode;
}

/** Shows radio buttons as tiles, for a few short choices. */
export function ChoiceTiles<T extends string | number>(props: Props<T>) {
  const { id, name, help, choices, error } = props;
  return (
    <fieldset
      data-error={error !== undefined || undefined}
      aria-describedby={describedBy(help && `${id}-help`, error && `${id}-error`)}
    >
      <legend className={props.prominent ? classes.question : classes.legend}>
        {props.legend}
      </legend>
      {help && (
        <div id={`${id}-help`} className={`hint ${classes.help}`}>
          {help}
        </div>
      )}
      <div
        className={classes.tiles}
        data-count={choices.length}
        data-pictured={choices.some((choice) => choice.icon) || undefined}
        data-wide={choices.some((choice) => choice.description) || undefined}
      >
        {choices.map((choice, index) => (
          <label key={choice.value} className={classes.tile}>
            <input
              type="radio"
              id={index === 0 ? id : `${id}-${index}`}
              name={name}
              checked={props.value === choice.value}
              disabled={props.locked}
              aria-invalid={error !== undefined || undefined}
              onChange={() => props.onChange(choice.value)}
            />
            {choice.icon && <Icon name={choice.icon} fallback={OPTION_ICON} size={24} />}
            <span>
              {choice.label}
              {choice.description && (
                <span className={`hint ${classes.description}`}>{choice.description}</span>
              )}
              {choice.extra && <span className={classes.extra}>{choice.extra}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      {props.children}
    </fieldset>
  );
}
