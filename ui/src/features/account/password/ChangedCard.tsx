import { Container } from '@mantine/core';
import { useGo } from '../../../lib/navigation/navigation';
import { paths } from '../../../lib/routes/paths';
import { Panel } from '../../../ui/basics/Panel';
import { PasswordChanged } from './PasswordChanged';
import { passwordChanged } from './resetMode';

/** The router state with which a link makes the dashboard open its login card. */
export const LOGIN_WANTED = { login: true };

/** Tells that the password was changed. The button "Ok" leads to the login card. */
export function ChangedCard() {
  const go = useGo();
  async function proceed() {
    await go(paths.dashboard(), { replace: true, state: LOGIN_WANTED });
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
