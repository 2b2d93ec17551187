import { Textarea, TextInput } from '@mantine/core';
import type { HTMLAttributes, ReactNode } from 'react';
import type { FieldKind } from '../../api/types';
import { formatPostcode, formatRegistration } from '../../lib/format/uk';
import { isPlate, isPostcode } from '../review/display';
import { controlId } from '../state/FormContext';
import type { Scalar } from '../types';
import { asText, FieldLabel, type FieldProps, WhyWeAsk } from './shared';
import classes from './TextField.module.css';

interface InputSettings {
  type?: 'email' | 'tel';
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  autoComplete?: string;
  autoCapitalize?: string;
  spellCheck?: boolean;
  maxWidth?: string;
}

const PLATE: InputSettings = {
  autoComplete: 'off',
  autoCapitalize: 'characters',
  spellCheck: false,
  maxWidth: '14rem',
};

const POSTCODE: InputSettings = {
  autoComplete: 'postal-code',
  autoCapitalize: 'characters',
  spellCheck: false,
  maxWidth: '12rem',
};

const INPUT_SETTINGS: Partial<Record<FieldKind, InputSettings>> = {
  email: { type: 'email', autoComplete: 'email', autoCapitalize: 'off', spellCheck: false },
  phone: { type: 'tel', autoComplete: 'tel', spellCheck: false },
  postcode: POSTCODE,
  address_lookup: POSTCODE,
  registration: PLATE,
  vehicle_lookup: PLATE,
  number: { inputMode: 'numeric', autoComplete: 'off', maxWidth: '12rem' },
};

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
  if (isPlate(field) || isPostcode(field)) return upperCase(input);
  if (field.kind === 'number') {
    const text = input.value.trim();
    return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : input.value;
  }
  return input.value;
}

/** Formats the typed text, for a kind with a format. */
function written(field: FieldProps['field'], text: string): string {
  if (isPlate(field)) return formatRegistration(text);
  return isPostcode(field) ? formatPostcode(text) : text;
}

interface Props extends FieldProps {
  /**
   * A button beside the input, such as a look-up's. Null reserves its place: a later change of the
   * structure would lose the focus.
   */
  button?: ReactNode;
  /** Replaces the default action of Enter. */
  onEnter?: () => void;
}

/** One line of text: plain, email, telephone, postcode, registration or number. */
export function TextField({ field, path, value, error, onChange, onLeave, ...extraProps }: Props) {
  const { button, onEnter } = extraProps;
  const { maxWidth, ...inputProps } = INPUT_SETTINGS[field.kind] ?? {};
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
          const text = written(field, typed);
          if (text !== typed) onChange(text);
          onLeave?.();
        }}
      />
      <WhyWeAsk field={field} />
    </div>
  );
}

/** Several lines of text, for an address. */
export function AddressField({ field, path, value, error, onChange, onLeave }: FieldProps) {
  return (
    <div data-rows>
      <Textarea
        id={controlId(path)}
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
