import { Container } from '@mantine/core';
import { useGo } from '../../../lib/navigation/navigation';
import { paths } from '../../../lib/routes/paths';
import { readLoginTarget } from '../../../lib/session/loginTarget';
import { signOnAddress } from '../../../lib/session/signOn';
import { Panel } from '../../../ui/basics/Panel';
import { PasswordChanged } from './PasswordChanged';
import { passwordChanged } from './resetMode';

/** The router state with which a link makes the dashboard open its login card. */
export const LOGIN_WANTED = { login: true };

/** Returns the address of the login card. A login there opens the page that the visitor wanted. */
export function loginAddress(): string {
  const page = readLoginTarget();
  return page ? signOnAddress(paths.dashboard(), page) : paths.dashboard();
}

/** Tells that the password was changed. The button "Ok" leads to the login card. */
export function ChangedCard() {
  const go = useGo();
  async function proceed() {
    await go(loginAddress(), { replace: true, state: LOGIN_WANTED });
    passwordChanged.set(false);
  }
  return (
    <Container size={560}>
      <Panel>
        <PasswordChanged onOk={() => void proceed()} />
      </Panel>
    </Container>
  );
}
