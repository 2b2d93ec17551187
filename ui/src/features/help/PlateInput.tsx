import { useId } from 'react';
import classes from './CoverCheck.module.css';

interface Props {
  value: string;
  hint: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

/** A registration, typed into a plate. */
export function PlateInput({ value, hint, error, onChange }: Props) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id} className={classes.legend}>
        Registration number
      </label>
      <p id={`${id}-hint`} className={classes.hint}>
        {hint}
      </p>
      <div className={classes.plate} data-error={error !== undefined || undefined}>
        <span className={classes.band} aria-hidden="true">
          UK
        </span>
        <input
          id={id}
          name="registration"
          className={classes.input}
          value={value}
          maxLength={12}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error ? `${id}-hint ${id}-fault` : `${id}-hint`}
          onChange={(event) => onChange(event.currentTarget.value.toLocaleUpperCase('en-GB'))}
        />
      </div>
      {error && (
        <p id={`${id}-fault`} className={classes.fault}>
          {error}
        </p>
      )}
    </div>
  );
}
