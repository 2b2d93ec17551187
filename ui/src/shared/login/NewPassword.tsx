import type { PasswordInputProps } from '@mantine/core';
import { useSite } from '../../api/hooks';
import { PasswordField } from '../../ui/inputs/PasswordField';
import { DEFAULT_RULE, MISMATCH, passwordFault, repeatFault, ruleMessage } from './passwordRule';

/** A text for each of the two fields of a new password, such as a name or a label. */
interface Pair {
  password: string;
  repeat: string;
}

function usePasswordRule() {
  const { data: site } = useSite();
  return site?.password_rule ?? DEFAULT_RULE;
}

/** Returns the function that finds the errors of a new password, by field name. */
export function usePasswordFaults(names: Pair) {
  const rule = usePasswordRule();
  return (typed: Readonly<Record<string, string>>) => {
    const { [names.password]: password = '', [names.repeat]: repeat = '' } = typed;
    return {
      [names.password]: passwordFault(password, rule),
      [names.repeat]: repeatFault(repeat, password),
    };
  };
}

interface Props {
  field: (name: string) => PasswordInputProps & { value: string };
  names: Pair;
  labels: Pair;
}

const COMMON = { autoComplete: 'new-password', 'aria-required': true };

/**
 * Asks for a new password twice. Shows the rule for passwords as a hint, or as the error of a
 * password that breaks the rule.
 */
export function NewPasswordFields({ field, names, labels }: Props) {
  const message = ruleMessage(usePasswordRule());
  const password = field(names.password);
  const repeat = field(names.repeat);
  // The start of the password is no mismatch: the visitor is still typing.
  const differs = !password.value.startsWith(repeat.value);
  return (
    <>
      <PasswordField
        {...password}
        {...COMMON}
        label={labels.password}
        description={password.error === message ? undefined : message}
      />
      <PasswordField
        {...repeat}
        {...COMMON}
        label={labels.repeat}
        error={repeat.error ?? (differs && MISMATCH)}
      />
    </>
  );
}
