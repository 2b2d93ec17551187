import { Button, Container, Stack, Text, Title } from '@mantine/core';
import type { Profile } from '../../api/types';
import { MailText } from '../../components/Contact';
import { LogoutButton } from '../../components/LogoutButton';
import { Panel } from '../../components/Panel';
import { Waiting } from '../../components/Waiting';
import classes from './Details.module.css';
import { useAccountData } from './useAccountData';

const FIELDS: readonly (readonly [keyof Profile, string])[] = [
  ['first_name', 'First Name'],
  ['last_name', 'Last Name'],
  ['middle_name', 'Middle Name'],
  ['address_primary', 'Address'],
  ['postcode_primary', 'Postcode'],
  ['email_primary', 'Email Address'],
  ['user_username', 'Username'],
  ['tel_primary', 'Telephone'],
  ['gsm_primary', 'Mobile'],
  ['fax_primary', 'Fax'],
];

/** Labelled fields, only those that have values. */
export function labelled(profile: Profile): { label: string; value: string }[] {
  return FIELDS.flatMap(([name, label]) => {
    const value = profile[name];
    const text = value === null || value === undefined ? '' : String(value).trim();
    return text ? [{ label, value: text }] : [];
  });
}

export function Details() {
  const { data: profile, error, mutate } = useAccountData<Profile>('/api/v1/profile');
  if (!profile && !error) return <Waiting label="Loading your details" />;
  return (
    <Container size={720}>
      <Stack gap="lg">
        <div className={classes.heading}>
          <Title order={1}>My Account</Title>
          <LogoutButton />
        </div>
        <Panel title="Your Details">
          {profile ? (
            <dl className={classes.details}>
              {labelled(profile).map(({ label, value }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    <MailText address={value} />
                  </dd>
                </div>
              ))}
            </dl>
          ) : (
            <>
              <Text mb="sm">Your details could not be loaded.</Text>
              <Button variant="default" size="sm" onClick={() => mutate()}>
                Try again
              </Button>
            </>
          )}
        </Panel>
      </Stack>
    </Container>
  );
}
