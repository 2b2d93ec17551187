import { Anchor, Button, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useProfile } from '../../api/hooks';
import { useGo } from '../../lib/navigation/navigation';
import { paths } from '../../lib/routes/paths';
import { LoginForm } from '../../shared/login/LoginForm';
import { LogoutButton } from '../../shared/login/LogoutButton';
import { AppLink } from '../../ui/basics/AppLink';
import { MailText } from '../../ui/contact/Contact';

/** Focuses the panel after a login or logout: the pressed button no longer exists. */
function useFocusOnChange(loggedIn: boolean | null) {
  const section = useRef<HTMLElement>(null);
  const before = useRef(loggedIn);
  useEffect(() => {
    if (before.current !== null && before.current !== loggedIn) section.current?.focus();
    before.current = loggedIn;
  }, [loggedIn]);
  return section;
}

export default function LoginPanel({ close }: { close: () => void }) {
  const { data: profile, error } = useProfile();
  const go = useGo();
  const isKnown = profile !== undefined || error !== undefined;
  const section = useFocusOnChange(isKnown ? Boolean(profile) : null);

  if (!isKnown) return <Loader size="sm" aria-label="Loading" />;
  if (!profile) {
    return (
      <section ref={section} tabIndex={-1} aria-labelledby="user-login">
        <Title order={2} size="lg" id="user-login" mb="md">
          User login
        </Title>
        <LoginForm onLeave={close} />
        <PortalLink close={close} />
      </section>
    );
  }
  return (
    <section ref={section} tabIndex={-1} aria-label="My Account">
      <Text fw={600} mb="md">
        <Text span display="block" size="sm" c="dimmed">
          Hello
        </Text>{' '}
        <MailText address={profile.email_primary ?? profile.user_username ?? ''} />
      </Text>
      <Stack gap="xs">
        <Button
          onClick={() => {
            close();
            void go(paths.dashboard());
          }}
        >
          View Details
        </Button>
        <LogoutButton />
      </Stack>
      <PortalLink close={close} />
    </section>
  );
}

function PortalLink({ close }: { close: () => void }) {
  return (
    <Anchor
      component={AppLink}
      to={paths.portal()}
      size="sm"
      mt="0.25rem"
      className="touchTarget"
      onClick={close}
    >
      Customer portal
    </Anchor>
  );
}
