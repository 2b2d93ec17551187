import { Button, Stack, Text, TextInput } from '@mantine/core';
import { ApiError, api } from '../../api/client';
import { statusOf } from '../../api/failure';
import { login } from '../../api/session/session';
import { showSnackbar } from '../../lib/messages/snackbar';
import { LinkButton } from '../../ui/basics/LinkButton';
import { Panel } from '../../ui/basics/Panel';
import { MailText } from '../../ui/contact/Contact';
import { FormError } from '../../ui/inputs/FormError';
import { useServerForm } from '../../ui/inputs/useServerForm';
import { askToLogin } from '../login/loginDialog';
import { NewPasswordFields, usePasswordFaults } from '../login/NewPassword';
import { manageActions } from './manageActions';

const NAMES = { password: 'password', repeat: 'password_rpt' };
const LABELS = { password: 'Password', repeat: 'Confirm Password' };

/** The number of characters of a code. */
const LENGTH = 8;
const CODE = 'code';

/**
 * Returns the code in the server's form: in upper case, without spaces and hyphens. O becomes 0,
 * and I and L become 1.
 */
function plain(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}

const MISSING = 'Enter the 8 letters and digits from our email.';
const WRONG =
  'This code is not right, or it is too old. Please look at our newest email about this policy.';

/**
 * Sets the first password of the account for the policy's mail address, with the mailed code. If
 * the server does not accept the code (404), throws an error at the code's field.
 */
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
 * Asks for the first password of the account for the policy's mail address. The buyer may have
 * typed another person's address. The mailed code proves that the mailbox is the buyer's.
 */
export function FirstPassword({ uuid, mail, trips }: Props) {
  const passwordFaults = usePasswordFaults(NAMES);
  const { values, valid, working, ...form } = useServerForm({
    initialValues: { code: '', password: '', password_rpt: '' },
    validate: (typed) => ({
      code: plain(typed.code).length === LENGTH ? null : MISSING,
      ...passwordFaults(typed),
    }),
  });

  const send = ({ code, password, password_rpt: repeat }: typeof values) =>
    form.run(async () => {
      await setFirstPassword(uuid, plain(code), password, repeat);
      await login({ username: mail, password, remember: false }, uuid).catch(() =>
        showSnackbar('Your password is set. Please log in.'),
      );
    });
  return (
    <Panel title="Set a password" className="screenOnly">
      <form {...form.props(send)}>
        <Text mb="md">
          This policy is not in an account yet. Set a password for <MailText address={mail} />, and
          you can {manageActions(trips)} it whenever you like.
        </Text>
        <Stack gap="md" maw="26rem">
          <input type="text" autoComplete="username" hidden readOnly value={mail} />
          <TextInput
            {...form.field(CODE)}
            label="Code from our email"
            description="We email it to that address. Your password counts only with the code: it shows that the mailbox is yours."
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            aria-required
            onBlur={() => values.code && form.leave(CODE)}
          />
          <NewPasswordFields field={form.field} names={NAMES} labels={LABELS} />
          <FormError texts={[form.refusal]} />
          <Button type="submit" disabled={!valid || working}>
            {working ? 'Please wait...' : 'Set Password'}
          </Button>
          <Text size="sm" c="dimmed">
            The link in the same email does the same. It comes within a few minutes; please look
            among your unwanted mail too.
          </Text>
          <Text size="sm">
            Have an account with another address?{' '}
            <LinkButton size="sm" onClick={() => void askToLogin({ quote: uuid })}>
              Log in to add this policy to it
            </LinkButton>
          </Text>
        </Stack>
      </form>
    </Panel>
  );
}
