import { Button, Container, Group, Stack, Title } from '@mantine/core';
import { Activity, type ReactNode, useId, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useProfile } from '../../../api/hooks';
import type { Profile } from '../../../api/types';
import { paths } from '../../../lib/routes/paths';
import { safePath } from '../../../lib/session/signOn';
import { useAllLoaded } from '../../../lib/timing/useAllLoaded';
import { useSignal } from '../../../lib/useSignal';
import { shouldFocusTitle, useFocusAfterLogin } from '../../../shared/login/loginFocus';
import { usePerson } from '../../../shared/login/usePerson';
import { Panel } from '../../../ui/basics/Panel';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { DateChoice } from '../details/DateChoice';
import { Details } from '../details/Details';
import { LoginScreen } from '../login/LoginScreen';
import { ChangedCard } from '../password/ChangedCard';
import { ChangePassword } from '../password/ChangePassword';
import { ResetCard } from '../password/ResetScreen';
import { passwordChanged, useReset } from '../password/resetMode';
import { ActiveSessions } from '../sessions/ActiveSessions';
import { useWaiting, WaitingQuotes } from '../waiting-quotes/WaitingQuotes';
import classes from './Overview.module.css';
import { PolicyCards, useOverviewLoaded } from './PolicyCards';
import { SubSection } from './SubSection';

function loginWanted(state: unknown): boolean {
  return (state as { login?: unknown } | null)?.login === true;
}

/**
 * Shows the dashboard's first section: the person's overview, the login, or the cards of a password
 * reset.
 */
export function Overview() {
  const { data: profile, error } = useProfile();
  const reset = useReset();
  const changed = useSignal(passwordChanged);
  const { state, key } = useLocation();
  const [params] = useSearchParams();
  const next = safePath(params.get('state'));

  const person = usePerson(profile);

  const rest = () => {
    if (profile === undefined && !error) return <Loading />;
    if (changed) return <ChangedCard />;
    if (reset) return <ResetCard reset={reset} />;
    const isLoginWanted = loginWanted(state);
    return (
      <LoginScreen
        key={isLoginWanted ? key : undefined}
        focus={isLoginWanted}
        // Another page of the parameter `state` gets the focus itself.
        onDone={() => shouldFocusTitle.set(!next || next.startsWith(paths.dashboard()))}
      />
    );
  };
  return (
    <>
      {person && (
        <Activity key={person.user_uuid} mode={profile ? 'visible' : 'hidden'}>
          <LoggedIn profile={person} />
        </Activity>
      )}
      {!profile && rest()}
    </>
  );
}

function Loading() {
  return <PageSkeleton label="Loading your account" size={1140} />;
}

function LoggedIn({ profile }: { profile: Profile }) {
  const heading = useFocusAfterLogin();
  const isLoaded = [useOverviewLoaded(), useAllLoaded([useWaiting()])];
  if (isLoaded.includes(false)) return <Loading />;
  return (
    <Container size={1140}>
      <Stack gap="xl">
        <Title order={1} ref={heading} tabIndex={-1}>
          My Account
        </Title>
        <PolicyCards />
        <WaitingQuotes
          mail={profile.email_primary ?? ''}
          onAnswered={() => heading.current?.focus()}
        />
        <Details profile={profile} />
        {profile.user_uuid && <DateChoice user={profile.user_uuid} />}
        <Panel title="Password and logins" className="screenOnly">
          <Foldable
            title="Password"
            text="Choose another one whenever you like."
            show="Change Password"
            hide="Cancel"
          >
            <SubSection title="Change password">
              <ChangePassword />
            </SubSection>
          </Foldable>
          <Foldable
            title="Logins"
            text="Every browser and device that is logged in to your account."
            show="Show Logins"
            hide="Hide Logins"
          >
            <ActiveSessions />
          </Foldable>
        </Panel>
      </Stack>
    </Container>
  );
}

/** Shows a line with a button that shows or hides the content below. */
function Foldable(props: {
  title: string;
  text: string;
  show: string;
  hide: string;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={classes.foldable}>
      <Group justify="space-between" gap="0.75rem 1.5rem" className={classes.line}>
        <p>
          <strong>{props.title}</strong>
          <span className="hint">{props.text}</span>
        </p>
        <Button
          variant="default"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        >
          {open ? props.hide : props.show}
        </Button>
      </Group>
      {open && <div id={id}>{props.children}</div>}
    </div>
  );
}
