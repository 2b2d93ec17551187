import { useState } from 'react';
import type { FieldErrors } from '../../api/client';
import { useSite } from '../../api/hooks';
import { PasswordField } from '../../components/inputs/PasswordField';
import { DEFAULT_RULE, MISMATCH, passwordFault, repeatFault, ruleMessage } from './passwordRule';

type Part = 'password' | 'repeat';

/** A new password typed twice. */
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
    /** Enter was pressed too early: say what is missing. */
    showAll: () => setLeft({ password: true, repeat: true }),
  };
}

type NewPassword = ReturnType<typeof useNewPassword>;

/** A beginning of the right word is no mistake yet. */
function shownRepeat({ faults, left, password, repeat }: NewPassword): string | null {
  if (left.repeat) return faults.repeat;
  return faults.repeat === MISMATCH && !password.startsWith(repeat) ? faults.repeat : null;
}

interface Props {
  state: NewPassword;
  /** The fields' names on the wire, at which the server's errors stand. */
  names: Record<Part, string>;
  labels: Record<Part, string>;
  errors: FieldErrors;
  readOnly: boolean;
  onChange: () => void;
}

/** The rule is there to be read from the start, and turns into an error where it is not met. */
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
