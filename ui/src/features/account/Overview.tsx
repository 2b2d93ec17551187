import { Button, Container, Stack, Title } from '@mantine/core';
import { Activity, useId, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useProfile } from '../../api/hooks';
import type { Profile } from '../../api/types';
import { Panel } from '../../components/basics/Panel';
import { Waiting } from '../../components/feedback/Waiting';
import { usePerson } from '../../components/login/usePerson';
import { useArrived } from '../../lib/arrived';
import { askToLogin } from '../../lib/loginDialog';
import { useSignal } from '../../lib/signal';
import { ownPath, wasSentAway } from '../../lib/signOn';
import { ChangedCard } from './ChangedCard';
import { ChangePassword } from './ChangePassword';
import { DateChoice } from './DateChoice';
import { Details } from './Details';
import { LoggedOut } from './LoggedOut';
import { LogIns } from './LogIns';
import { PolicyCards, useCardsArrived } from './PolicyCards';
import { ResetCard } from './ResetScreen';
import { passwordChanged, useReset } from './resetMode';
import { useWaiting, WaitingQuotes } from './WaitingQuotes';

function loginWanted(state: unknown): boolean {
  return (state as { login?: unknown } | null)?.login === true;
}

/** The dashboard's first section: the user's overview, or the login. */
export function Overview() {
  const { data: profile, error } = useProfile();
  const reset = useReset();
  const changed = useSignal(passwordChanged);
  const { state, key } = useLocation();
  const [params] = useSearchParams();

  const person = usePerson(profile);

  const rest = () => {
    if (profile === undefined && !error) return <Loading />;
    if (changed) return <ChangedCard />;
    if (reset) return <ResetCard reset={reset} />;
    const asked = loginWanted(state);
    return (
      <LoggedOut
        key={asked ? key : undefined}
        wanted={asked || ownPath(params.get('state')) !== null || wasSentAway()}
        focus={asked}
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
  return <Waiting label="Loading your account" size={1140} />;
}

function LoggedIn({ profile }: { profile: Profile }) {
  const [changing, setChanging] = useState(false);
  const [listing, setListing] = useState(false);
  const [card, list] = [useId(), useId()];
  const heading = useRef<HTMLHeadingElement>(null);
  const arrived = [useCardsArrived(), useArrived([useWaiting()])];
  if (arrived.includes(false)) return <Loading />;
  return (
    <Container size={1140}>
      <Stack gap="xl">
        <Title order={1} ref={heading} tabIndex={-1}>
          My Account
        </Title>
        <WaitingQuotes
          mail={profile.email_primary ?? ''}
          onAnswered={() => heading.current?.focus()}
        />
        <PolicyCards />
        <Details profile={profile} />
        {profile.user_uuid && <DateChoice user={profile.user_uuid} />}
        <Stack gap="md" align="stretch">
          <Button
            w="fit-content"
            variant="default"
            aria-expanded={changing}
            aria-controls={changing ? card : undefined}
            onClick={() => setChanging(!changing)}
          >
            {changing ? 'Cancel' : 'Change Password'}
          </Button>
          {changing && (
            <div id={card}>
              <Panel title="Change password">
                <ChangePassword onExpired={() => void askToLogin()} />
              </Panel>
            </div>
          )}
        </Stack>
        <Stack gap="md" align="stretch">
          <Button
            w="fit-content"
            variant="default"
            aria-expanded={listing}
            aria-controls={listing ? list : undefined}
            onClick={() => setListing(!listing)}
          >
            {listing ? 'Hide Logins' : 'Show Logins'}
          </Button>
          {listing && (
            <div id={list}>
              <LogIns />
            </div>
          )}
        </Stack>
      </Stack>
    </Container>
  );
}
