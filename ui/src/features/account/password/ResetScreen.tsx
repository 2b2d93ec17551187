import { Button, Text } from '@mantine/core';
import { useId } from 'react';
import { Navigate } from 'react-router';
import useSWR from 'swr';
import { statusOf } from '../../../api/failure';
import { useProfile } from '../../../api/hooks';
import { retryable } from '../../../api/read';
import { paths } from '../../../lib/routes/paths';
import { useDocumentTitle } from '../../../lib/routes/title';
import { useSignal } from '../../../lib/useSignal';
import { Panel } from '../../../ui/basics/Panel';
import { ContactLine, MessagePage } from '../../../ui/feedback/MessagePage';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { useAddressSecret } from '../addressSecret';
import { openReset } from '../calls';
import { AuthLayout } from '../login/AuthLayout';
import { ChangedCard } from './ChangedCard';
import { ExpiredLink } from './ExpiredLink';
import { ResetPassword } from './ResetPassword';
import {
  endReset,
  passwordChanged,
  RESET_KEY,
  type Reset,
  resetTitle,
  useReset,
} from './resetMode';

/** Shows the page of the mailed link to reset a password. */
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
  if (!secret) return <ExpiredLink missing />;
  if (data) return profile ? <Navigate to={paths.dashboard()} replace /> : <ExpiredLink />;
  if (!error) return <PageSkeleton label="Checking your link" />;
  if (statusOf(error) === 404) return <ExpiredLink />;
  return (
    <MessagePage
      title="We couldn't check your link"
      actions={<Button onClick={() => void mutate()}>Try again</Button>}
    >
      <Text>It may still be good. Please try again in a moment.</Text>
      <ContactLine />
    </MessagePage>
  );
}

export function ResetCard({ reset }: { reset: Reset }) {
  const title = useId();
  return (
    <AuthLayout
      title={resetTitle(reset)}
      id={title}
      intro={<p>Choose a password of your own, to log in with from now on.</p>}
    >
      <Panel named={title}>
        <ResetPassword reset={reset} onSpent={endReset} />
      </Panel>
    </AuthLayout>
  );
}
