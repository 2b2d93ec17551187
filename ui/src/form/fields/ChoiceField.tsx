import type { ReactNode } from 'react';
import { Icon } from '../../components/icons/Icon';
import { choicesOf } from '../display';
import { controlId, useFormApi } from '../FormContext';
import classes from './Field.module.css';
import {
  describedBy,
  ErrorText,
  FieldLabel,
  type FieldProps,
  OPTION_ICON,
  WhyWeAsk,
} from './shared';

/** Radio buttons as tiles: a few short choices, or Yes and No. */
export function ChoiceField({ field, path, options, value, error, onChange }: FieldProps) {
  const { optionExtra } = useFormApi();
  const id = controlId(path);
  const choices = choicesOf(field, options);
  return (
    <fieldset
      className={classes.group}
      data-error={error !== undefined || undefined}
      aria-describedby={describedBy(field.help && `${id}-help`, error && `${id}-error`)}
    >
      <legend className={classes.legend}>
        <FieldLabel field={field} />
      </legend>
      {field.help && (
        <div id={`${id}-help`} className={classes.help}>
          {field.help}
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
              name={path}
              className={classes.radio}
              checked={value === choice.value}
              disabled={field.locked}
              aria-invalid={error !== undefined || undefined}
              onChange={() => onChange(choice.value)}
            />
            {choice.icon && <Icon name={choice.icon} otherwise={OPTION_ICON} size={24} />}
            <span>
              {choice.label}
              {choice.description && (
                <span className={classes.description}>{choice.description}</span>
              )}
              <TileExtra>{optionExtra?.(field, choice)}</TileExtra>
            </span>
          </label>
        ))}
      </div>
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      <WhyWeAsk field={field} />
    </fieldset>
  );
}

function TileExtra({ children }: { children: ReactNode }) {
  return children ? <span className={classes.extra}>{children}</span> : null;
}
