import { Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { isPlate, kindOf } from '../kinds';
import { controlId } from '../state/FormContext';
import type { Scalar } from '../types';
import { asText, FieldLabel, type FieldProps, WhyWeAsk } from './shared';
import classes from './TextField.module.css';

/** Changes the typed text to upper case, and keeps the caret's position. */
function upperCase(input: HTMLInputElement): string {
  const upper = input.value.toLocaleUpperCase('en-GB');
  if (upper !== input.value) {
    const { selectionStart, selectionEnd } = input;
    input.value = upper;
    input.setSelectionRange(selectionStart, selectionEnd);
  }
  return upper;
}

function read(field: FieldProps['field'], input: HTMLInputElement): Scalar {
  const kind = kindOf(field);
  const text = kind.isCode ? upperCase(input) : input.value;
  return kind.parse?.(text) ?? text;
}

interface Props extends FieldProps {
  /**
   * A button beside the input, such as the button of a look-up. If null, the input stays inside the
   * same element as with a button. A removal of that element would take the focus from the input.
   */
  button?: ReactNode;
  /** Replaces the default action of Enter. */
  onEnter?: () => void;
}

/**
 * Shows an input for one line: a text, email, telephone number, postcode, registration or number.
 */
export function TextField({ field, path, value, error, onChange, onLeave, ...extraProps }: Props) {
  const { button, onEnter } = extraProps;
  const { maxWidth, ...inputProps } = kindOf(field).input ?? {};
  return (
    <div data-rows>
      <TextInput
        id={controlId(path)}
        name={path}
        dir="auto"
        label={<FieldLabel field={field} />}
        description={field.help}
        error={error}
        value={asText(value)}
        disabled={field.locked}
        maxLength={field.validation.max_length}
        {...inputProps}
        autoComplete={field.autocomplete ?? inputProps.autoComplete}
        aria-required={field.required || undefined}
        inputContainer={
          button === undefined
            ? undefined
            : (box) => (
                <div className={classes.beside}>
                  {box}
                  {button}
                </div>
              )
        }
        styles={maxWidth ? { wrapper: { maxWidth } } : undefined}
        classNames={{
          root: button === undefined ? undefined : classes.withButton,
          input: isPlate(field) ? 'plate' : undefined,
          error: button === undefined ? undefined : classes.fault,
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !onEnter) return;
          event.preventDefault();
          onEnter();
        }}
        onChange={(event) => onChange(read(field, event.currentTarget))}
        onBlur={(event) => {
          const typed = event.currentTarget.value;
          const { isCode, format } = kindOf(field);
          const text = isCode && format ? format(typed) : typed;
          if (text !== typed) onChange(text);
          onLeave?.();
        }}
      />
      <WhyWeAsk field={field} />
    </div>
  );
}

/** Shows an input for several lines, for an address. */
export function AddressField(props: FieldProps & { id?: string }) {
  const { field, path, value, error, onChange, onLeave, id = controlId(path) } = props;
  return (
    <div data-rows>
      <Textarea
        id={id}
        name={path}
        dir="auto"
        label={<FieldLabel field={field} />}
        description={field.help}
        error={error}
        value={asText(value)}
        disabled={field.locked}
        maxLength={field.validation.max_length}
        rows={3}
        autoComplete={field.autocomplete ?? 'street-address'}
        aria-required={field.required || undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onLeave}
      />
      <WhyWeAsk field={field} />
    </div>
  );
}
