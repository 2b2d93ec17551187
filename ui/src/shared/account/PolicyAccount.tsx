import { Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useProfile } from '../../api/hooks';
import type { Ownership, QuoteRead } from '../../api/types';
import { paths } from '../../lib/routes/paths';
import { AppLink } from '../../ui/basics/AppLink';
import { Panel } from '../../ui/basics/Panel';
import { MailText } from '../../ui/contact/Contact';
import { askToLogin } from '../login/loginDialog';
import { FirstPassword } from './FirstPassword';
import { JoinAccount } from './JoinAccount';
import { coversTrips, manageActions } from './manageActions';
import { quoteEmail } from './quoteEmail';

/** Shows whether a policy is in an account, and what the reader can do next. */
export function PolicyAccount({ read }: { read: QuoteRead }) {
  const { account, uuid } = read.info;
  const mail = quoteEmail(read);
  const trips = coversTrips(read);
  if (account === 'mine') return <OwnPolicy trips={trips} />;
  if (account === 'other_account') return <OtherAccountPolicy uuid={uuid} mail={mail} />;
  if (account === 'unclaimed')
    return mail && <FirstPassword uuid={uuid} mail={mail} trips={trips} />;
  return <JoinAccount read={read} kind="policy" />;
}

function OwnPolicy({ trips }: { trips: boolean }) {
  return (
    <Panel title="Your account" className="screenOnly">
      <Stack gap="md" align="flex-start">
        <Text>It is in your account. There you can {manageActions(trips)} it.</Text>
        <Button component={AppLink} to={paths.dashboard('policies')} variant="default">
          Go to your account
        </Button>
      </Stack>
    </Panel>
  );
}

function OtherAccountPolicy({ uuid, mail }: { uuid: string; mail: string | null }) {
  const { data: profile } = useProfile();
  return (
    <Panel title="Your account" className="screenOnly">
      <Stack gap="md" align="flex-start">
        <Text>
          This policy is in the account of {mail ? <MailText address={mail} /> : 'its mailbox'}
          {profile && ', and you are logged in to another one'}. To manage it, log in
          {profile ? ' to that account' : ''}.
        </Text>
        <Button onClick={() => void askToLogin({ quote: uuid, username: mail ?? undefined })}>
          Login
        </Button>
      </Stack>
    </Panel>
  );
}

/**
 * Focuses itself after a policy has joined the account, if no element has the focus. The pressed
 * button no longer exists.
 */
export function AccountPlace(props: { ownership: Ownership; children: ReactNode }) {
  const { ownership, children } = props;
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(ownership);
  useEffect(() => {
    const joined = ownership === 'mine' && before.current !== 'mine';
    before.current = ownership;
    // Waits until a closing dialog has restored the focus.
    const timer = setTimeout(() => {
      if (joined && document.activeElement === document.body) place.current?.focus();
    }, 50);
    return () => clearTimeout(timer);
  }, [ownership]);
  return (
    <div ref={place} tabIndex={-1} style={{ outline: 'none' }}>
      {children}
    </div>
  );
}
