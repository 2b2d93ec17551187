import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useProfile } from '../../api/hooks';
import type { QuoteRead } from '../../api/types';
import { readStored, writeStored } from '../../lib/storage/storage';
import { Panel } from '../../ui/basics/Panel';
import { MailText } from '../../ui/contact/Contact';
import { FormError } from '../../ui/inputs/FormError';
import { coversTrips, manageActions } from './manageActions';
import { quoteEmail } from './quoteEmail';
import { type Joinable, useJoin } from './useJoin';

const declinedKey = (uuid: string) => `layby.declined.${uuid}`;

/**
 * Reads and stores in the session storage whether the customer has declined to add the quote or
 * policy.
 */
function useDeclined(uuid: string) {
  const key = declinedKey(uuid);
  const [declined, setDeclined] = useState(() => readStored(key, 'session') === true);
  const decline = () => {
    writeStored(key, true, 'session');
    setDeclined(true);
  };
  return [declined, decline] as const;
}

/** Returns the sentence about the advantage of adding the quote or policy. */
function purposeOf(kind: Joinable, read: QuoteRead): string {
  return kind === 'quote'
    ? 'In your account you find it again under Quotes.'
    : `In your account you can ${manageActions(coversTrips(read))} it.`;
}

interface Props {
  read: QuoteRead;
  kind: Joinable;
}

/**
 * Asks whether to add a quote or policy of another mail address to the account. The question names
 * the address, because another person may have sent the link. A quote or policy of the customer's
 * own address is added without a question. If that fails, the question is shown too.
 */
export function JoinAccount({ read, kind }: Props) {
  const join = useJoin(read.info, kind);
  const { account } = read.info;
  const needsConfirmation =
    account === 'claimable' || (account === 'auto_claimable' && join.failed !== null);
  return needsConfirmation && <Question read={read} kind={kind} join={join} />;
}

function Question({ read, kind, join }: Props & { join: ReturnType<typeof useJoin> }) {
  const { add, working, failed } = join;
  const { data: profile } = useProfile();
  const [declined, decline] = useDeclined(read.info.uuid);
  const email = quoteEmail(read);
  const purpose = purposeOf(kind, read);

  const button = (
    <Button aria-disabled={working || undefined} onClick={add}>
      {working ? 'Please wait...' : 'Add to my account'}
    </Button>
  );
  if (declined) {
    // The customer can still buy the quote. A policy outside the account can only be read.
    if (kind === 'quote') return null;
    return (
      <Panel title="Manage your policy">
        <Stack gap="md" align="flex-start">
          <Text>
            This policy is not in your account. Add it to {manageActions(coversTrips(read))} it.
          </Text>
          <FormError texts={[failed]} />
          {button}
        </Stack>
      </Panel>
    );
  }
  return (
    <Panel title={`Add this ${kind} to your account?`}>
      <Stack gap="md" align="flex-start">
        <Text>
          {email ? (
            <>
              It is for <MailText address={email} />, and you are logged in as{' '}
              <MailText address={profile?.email_primary ?? ''} />. {purpose}
            </>
          ) : (
            purpose
          )}
        </Text>
        <Text>Add it only if it is yours: anybody can send you a link to a {kind} of theirs.</Text>
        <FormError texts={[failed]} />
        <Group gap="sm">
          {button}
          <Button variant="default" aria-disabled={working || undefined} onClick={decline}>
            No, leave it
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
