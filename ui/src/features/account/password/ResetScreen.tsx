import { Button, Text } from '@mantine/core';
import { useId } from 'react';
import { Navigate } from 'react-router';
import useSWR from 'swr';
import { statusOf } from '../../../api/failure';
import { useProfile } from '../../../api/hooks';
import { retryable } from '../../../api/read';
import { Panel } from '../../../components/basics/Panel';
import { AskUs, Notice } from '../../../components/feedback/Notice';
import { Waiting } from '../../../components/feedback/Waiting';
import { useAddressSecret } from '../../../lib/addressSecret';
import { paths } from '../../../lib/paths';
import { useDocumentTitle } from '../../../lib/title';
import { useSignal } from '../../../lib/useSignal';
import { openReset } from '../calls';
import { Entrance } from '../login/Entrance';
import { ChangedCard } from './ChangedCard';
import { LinkDead } from './LinkDead';
import { ResetPassword } from './ResetPassword';
import {
  endReset,
  passwordChanged,
  RESET_KEY,
  type Reset,
  resetTitle,
  useReset,
} from './resetMode';

/** The page of the mailed link to reset a password. */
export function ResetScreen() {
  const { secret } = useAddressSecret('aid', RESET_KEY);
  const active = useReset();
  const changed = useSignal(passwordChanged);
  const { data: profile } = useProfile();
  const { data, error, mutate } = useSWR(
    secret ? ['reset', secret] : null,
    ([, aid]) => openReset(aid),
    { revalidateOnFocus: false, revalidateOnReconnect: false, shouldRetryOnError: retryable },
  );

  useDocumentTitle(active ? resetTitle(active) : 'Your password');

  if (active) return <ResetCard reset={active} />;
  if (changed) return <ChangedCard />;
  if (!secret) return <LinkDead missing />;
  if (data) return profile ? <Navigate to={paths.dashboard()} replace /> : <LinkDead />;
  if (!error) return <Waiting label="Checking your link" />;
  if (statusOf(error) === 404) return <LinkDead />;
  return (
    <Notice
      title="We couldn't check your link"
      actions={<Button onClick={() => void mutate()}>Try again</Button>}
    >
      <Text>It may still be good. Please try again in a moment.</Text>
      <AskUs />
    </Notice>
  );
}

export function ResetCard({ reset }: { reset: Reset }) {
  const title = useId();
  return (
    <Entrance
      title={resetTitle(reset)}
      id={title}
      words={<p>Choose a password of your own, to log in with from now on.</p>}
    >
      <Panel named={title}>
        <ResetPassword reset={reset} onSpent={endReset} />
      </Panel>
    </Entrance>
  );
}
