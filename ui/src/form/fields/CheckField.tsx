import { controlId, useFormApi } from '../state/FormContext';
import styles from './CheckField.module.css';
import classes from './Field.module.css';
import { describedBy, ErrorText, type FieldProps, WhyWeAsk } from './shared';

/** Shows a checkbox, for a statement to agree to or an extra to add. */
export function CheckField({ field, path, value, error, onChange }: FieldProps) {
  const { optionPrice } = useFormApi();
  const id = controlId(path);
  const extra = optionPrice?.(field, { value: 1, label: field.label, text: field.label });
  return (
    <div data-error={error !== undefined || undefined}>
      <label className={classes.check}>
        <input
          type="checkbox"
          id={id}
          checked={value === true}
          disabled={field.locked}
          aria-labelledby={`${id}-label`}
          aria-describedby={describedBy(
            field.help && `${id}-help`,
            extra ? `${id}-extra` : null,
            error && `${id}-error`,
          )}
          aria-invalid={error !== undefined || undefined}
          aria-required={field.required || undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span className={styles.checkText}>
          <span id={`${id}-label`} className={styles.checkLabel}>
            {field.label}
          </span>
          {field.help && (
            <span id={`${id}-help`} className={`hint ${classes.description}`}>
              {field.help}
            </span>
          )}
          {extra && <span id={`${id}-extra`}>{extra}</span>}
        </span>
      </label>
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      <WhyWeAsk field={field} />
    </div>
  );
}
