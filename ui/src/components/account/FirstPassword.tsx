import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError, api } from '../../api/client';
import { errorsOf, isPassing, reasonOf, statusOf } from '../../api/failure';
import { login } from '../../api/session';
import { askToLogin } from '../../lib/loginDialog';
import { showSnackbar } from '../../lib/snackbar';
import { useSubmit } from '../../lib/useSubmit';
import { Panel } from '../basics/Panel';
import { MailText } from '../contact/Contact';
import { FormError } from '../inputs/FormError';
import { NewPasswordFields, useNewPassword } from '../login/NewPassword';
import { submitOnEnter } from '../login/submitOnEnter';
import { manageVerbs } from './manageVerbs';

const NAMES = { password: 'password', repeat: 'password_rpt' };
const LABELS = { password: 'Password', repeat: 'Confirm Password' };

/** Letters and digits of a code. */
const LENGTH = 8;
const CODE = 'code';

/** The code as the server knows it: it has no letter that looks like a digit. */
function plain(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}

const MISSING = 'Enter the 8 letters and digits from our email.';
const WRONG =
  'This code is not right, or it is too old. Please look at our newest email about this policy.';

/** Sets the first password of the policy's mailbox with the code that was mailed there. */
async function setFirstPassword(policy: string, code: string, password: string, repeat: string) {
  try {
    await api.post('/api/v1/password/{aid}/reset', {
      path: { aid: `${policy}.${code}` },
      body: { issue: 0, password, password_rpt: repeat },
    });
  } catch (failure) {
    if (statusOf(failure) !== 404) throw failure;
    throw new ApiError(422, WRONG, { [CODE]: [WRONG] });
  }
}

interface Props {
  uuid: string;
  mail: string;
  /** Whether the policy covers single trips. */
  trips: boolean;
}

/**
 * The first password of a mailbox that has no account yet, where its policy was bought. Whoever
 * bought it may have typed somebody else's address: the code from the letter shows that the mailbox
 * is theirs, and without it no password counts.
 */
export function FirstPassword({ uuid, mail, trips }: Props) {
  const next = useNewPassword();
  const [typed, setTyped] = useState('');
  const [left, setLeft] = useState(false);
  const { form, working, failure, run, forget } = useSubmit(errorsOf);
  const errors = errorsOf(failure);
  const code = plain(typed);
  const whole = code.length === LENGTH;
  const valid = whole && next.valid;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!valid) return;
    await run(async () => {
      await setFirstPassword(uuid, code, next.password, next.repeat);
      await login({ username: mail, password: next.password, remember: false }, uuid).catch(() =>
        showSnackbar('Your password is set. Please log in.'),
      );
    });
  }

  const showAll = () => {
    setLeft(true);
    next.showAll();
  };
  const atFields = [CODE, ...Object.values(NAMES)].flatMap((name) => errors[name] ?? []);
  const other = failure && (isPassing(failure) || atFields.length === 0);
  return (
    <Panel title="Set a password">
      <form ref={form} onSubmit={submit} noValidate onKeyDown={submitOnEnter(valid, showAll)}>
        <Text mb="md">
          This policy is not in an account yet. Set a password for <MailText address={mail} />, and
          you can {manageVerbs(trips)} it whenever you like.
        </Text>
        <Stack gap="md" maw="26rem">
          <input type="text" autoComplete="username" hidden readOnly value={mail} />
          <TextInput
            label="Code from our email"
            description="We email it to that address. Your password counts only with the code: it shows that the mailbox is yours."
            name={CODE}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            aria-required
            readOnly={working}
            value={typed}
            error={errors[CODE]?.[0] ?? (left && !whole ? MISSING : null)}
            onBlur={() => setLeft(typed !== '')}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              forget();
            }}
          />
          <NewPasswordFields
            state={next}
            names={NAMES}
            labels={LABELS}
            errors={errors}
            readOnly={working}
            onChange={forget}
          />
          <FormError texts={other ? [reasonOf(failure)] : []} />
          <Button type="submit" disabled={!valid || working}>
            {working ? 'Please wait...' : 'Set Password'}
          </Button>
          <Text size="sm" c="dimmed">
            The link in the same email does the same. It comes within a few minutes; please look
            among your unwanted mail too.
          </Text>
          <Text size="sm">
            Have an account with another address?{' '}
            <Anchor
              component="button"
              type="button"
              size="sm"
              onClick={() => void askToLogin({ quote: uuid })}
            >
              Log in to add this policy to it
            </Anchor>
          </Text>
        </Stack>
      </form>
    </Panel>
  );
}
