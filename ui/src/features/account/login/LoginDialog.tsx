import { Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useProfile } from '../../../api/hooks';
import { useSignal } from '../../../lib/useSignal';
import { FORGOTTEN, LoginForm } from '../../../shared/login/LoginForm';
import type { LoginDialogMode, LoginRequest } from '../../../shared/login/loginDialog';
import { LinkButton } from '../../../ui/basics/LinkButton';
import { ChangePassword } from '../password/ChangePassword';
import { PasswordChanged } from '../password/PasswordChanged';
import { RequestLink } from '../password/RequestLink';
import { ResetPassword } from '../password/ResetPassword';
import { endReset, newUser, passwordChanged, resetTitle, useReset } from '../password/resetMode';

type DialogForm = LoginDialogMode | 'changed';

const TITLES: Record<DialogForm, string> = {
  login: 'Login',
  change: 'Change password',
  reset: 'Reset password',
  changed: 'Login',
};

/**
 * Shows the login dialog, which opens over any page. The dialog's forms with a username share the
 * typed username.
 */
export default function LoginDialog({ request }: { request: LoginRequest }) {
  const user = useSignal(newUser);
  const [mode, setMode] = useState<DialogForm>(request.mode);
  const [username, setUsername] = useState(request.username ?? user ?? '');
  const { data: profile } = useProfile();
  const reset = useReset();
  const showChanged = () => setMode('changed');

  return (
    <Modal
      opened
      onClose={() => request.answer(Boolean(profile))}
      title={mode === 'reset' && reset ? resetTitle(reset) : TITLES[mode]}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close', size: '2.75rem' }}
      size="28rem"
    >
      <Stack gap="md">
        {mode === 'login' && (
          <LoginForm
            key="login"
            focus
            username={username}
            onUsername={setUsername}
            quote={request.quote}
            onForgotten={() => setMode('reset')}
            onDone={() => request.answer(true)}
          />
        )}
        {mode === 'change' && (
          <ChangePassword username={username} onUsername={setUsername} onDone={showChanged} />
        )}
        {mode === 'reset' &&
          (reset ? (
            <ResetPassword reset={reset} onDone={showChanged} onSpent={endReset} />
          ) : (
            <>
              <Text>
                Tell us your username, and we'll send you a link to choose a new password.
              </Text>
              <RequestLink username={username} onUsername={setUsername} />
            </>
          ))}
        {mode === 'changed' && (
          <PasswordChanged
            level={2}
            onOk={() => {
              passwordChanged.set(false);
              setMode('login');
            }}
          />
        )}
        {mode !== 'changed' && <Switch mode={mode} onMode={setMode} />}
      </Stack>
    </Modal>
  );
}

const MODE_LINKS: readonly { mode: LoginDialogMode; label: string; from: LoginDialogMode[] }[] = [
  { mode: 'login', label: 'Back to login', from: ['change', 'reset'] },
  { mode: 'change', label: 'Change Password', from: ['login'] },
  { mode: 'reset', label: FORGOTTEN, from: ['change'] },
];

function Switch({ mode, onMode }: { mode: LoginDialogMode; onMode: (mode: DialogForm) => void }) {
  return (
    <Group gap="lg">
      {MODE_LINKS.filter(({ from }) => from.includes(mode)).map((link) => (
        <LinkButton key={link.mode} size="sm" py={4} onClick={() => onMode(link.mode)}>
          {link.label}
        </LinkButton>
      ))}
    </Group>
  );
}
