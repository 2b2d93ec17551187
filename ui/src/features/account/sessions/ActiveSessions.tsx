import { Button, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { address, api } from '../../../api/client';
import { reasonOf } from '../../../api/failure';
import type { Answer } from '../../../api/operations';
import { formatDateTime } from '../../../lib/dates/dates';
import { showSnackbar } from '../../../lib/messages/snackbar';
import { useSubmit } from '../../../lib/useSubmit';
import { FormError } from '../../../ui/inputs/FormError';
import { SubSection } from '../overview/SubSection';
import { useAccountData } from '../useAccountData';

const SESSIONS = '/api/v1/profile/sessions';
const NOTHING = () => ({});

type LogIn = Answer<'get', typeof SESSIONS>[number];

/** Shows the customer's sessions, with a button that ends all sessions except this one. */
export function ActiveSessions() {
  const read = async () => await api.get(SESSIONS, {});
  const { data: logIns, error, mutate } = useAccountData<LogIn[]>(address(SESSIONS), read);
  const { working, failure, run } = useSubmit(NOTHING);
  const list = useRef<HTMLUListElement>(null);
  const otherCount = logIns?.filter((each) => !each.own).length ?? 0;

  const end = () =>
    void run(async () => {
      await api.post('/api/v1/profile/sessions/end', {});
      await mutate();
      // The button has disappeared, so the focus moves to the list.
      list.current?.focus();
      showSnackbar('You are logged out everywhere else.');
    });

  return (
    <SubSection title="Where you are logged in">
      <Stack gap="md" align="stretch">
        {!logIns && !error && <Text role="status">Loading your logins…</Text>}
        {logIns && (
          <ul ref={list} tabIndex={-1} aria-label="Your logins" className="rows">
            {logIns.map(({ began, ends, own }) => (
              <li key={`${began} ${ends}`}>
                Since {formatDateTime(began)}, until {formatDateTime(ends)} at the latest
                {own && <strong style={{ display: 'block' }}>This browser</strong>}
              </li>
            ))}
          </ul>
        )}
        {logIns && otherCount === 0 && <Text>You are logged in nowhere else.</Text>}
        <FormError texts={[failure ? reasonOf(failure) : error ? reasonOf(error) : null]} />
        {otherCount > 0 && (
          <Button w="fit-content" aria-disabled={working || undefined} onClick={end}>
            {working ? 'Please wait...' : 'Log out everywhere else'}
          </Button>
        )}
      </Stack>
    </SubSection>
  );
}
