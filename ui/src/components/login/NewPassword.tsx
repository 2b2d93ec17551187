import { useState } from 'react';
import type { FieldErrors } from '../../api/client';
import { useSite } from '../../api/hooks';
import { PasswordField } from '../inputs/PasswordField';
import { DEFAULT_RULE, MISMATCH, passwordFault, repeatFault, ruleMessage } from './passwordRule';

type Part = 'password' | 'repeat';

/** The new password, to be typed twice. */
export function useNewPassword() {
  const { data: site } = useSite();
  const rule = site?.password_rule ?? DEFAULT_RULE;
  const [values, setValues] = useState({ password: '', repeat: '' });
  const [left, setLeft] = useState<Partial<Record<Part, boolean>>>({});
  const faults = {
    password: passwordFault(values.password, rule),
    repeat: repeatFault(values.repeat, values.password),
  };
  return {
    ...values,
    rule,
    faults,
    left,
    valid: faults.password === null && faults.repeat === null,
    change: (part: Part, value: string) => setValues((now) => ({ ...now, [part]: value })),
    leave: (part: Part) => setLeft((now) => ({ ...now, [part]: true })),
    /** Shows what is missing, when Enter is pressed before the form is complete. */
    showAll: () => setLeft({ password: true, repeat: true }),
  };
}

type NewPassword = ReturnType<typeof useNewPassword>;

/**
 * The repeated password's error. While the visitor types, the beginning of the password is no
 * error.
 */
function shownRepeat({ faults, left, password, repeat }: NewPassword): string | null {
  if (left.repeat) return faults.repeat;
  return faults.repeat === MISMATCH && !password.startsWith(repeat) ? faults.repeat : null;
}

interface Props {
  state: NewPassword;
  /** The names of the fields in the server's errors. */
  names: Record<Part, string>;
  labels: Record<Part, string>;
  errors: FieldErrors;
  readOnly: boolean;
  onChange: () => void;
}

/** The rule for passwords is shown from the start, and becomes an error if it is not met. */
export function NewPasswordFields({ state, names, labels, errors, readOnly, onChange }: Props) {
  const message = ruleMessage(state.rule);
  const fault = {
    password: state.left.password ? state.faults.password : null,
    repeat: shownRepeat(state),
  };
  const common = (part: Part) => ({
    label: labels[part],
    name: names[part],
    autoComplete: 'new-password',
    'aria-required': true,
    readOnly,
    value: state[part],
    error: errors[names[part]]?.[0] ?? fault[part],
    onBlur: () => state.leave(part),
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      state.change(part, event.currentTarget.value);
      onChange();
    },
  });
  return (
    <>
      <PasswordField
        {...common('password')}
        description={fault.password === message ? undefined : message}
      />
      <PasswordField {...common('repeat')} />
    </>
  );
}
