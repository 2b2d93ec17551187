import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { reasonOf } from '../../../api/failure';
import { useProfile, useSite } from '../../../api/hooks';
import type { Profile, ProfileChange, Site } from '../../../api/types';
import { formatPhone } from '../../../lib/format/phone';
import { formatPostcode } from '../../../lib/format/uk';
import { showSnackbar } from '../../../lib/messages/snackbar';
import { useSignal } from '../../../lib/useSignal';
import { useSubmit } from '../../../lib/useSubmit';
import { ADDRESS_FIELDS } from '../../../shared/address/address';
import { Panel } from '../../../ui/basics/Panel';
import { MailText } from '../../../ui/contact/Contact';
import { saveProfile } from '../calls';
import classes from './Details.module.css';
import { DetailsForm } from './DetailsForm';
import { DetailsList } from './DetailsList';
import { detailsDraft, valuesOf } from './detailsDraft';
import { type Address, PolicyAddresses } from './PolicyAddresses';

type Lists = Partial<Pick<Site, 'titles' | 'countries'>>;

const FIELDS: readonly (
  | readonly [keyof Profile, string, keyof Lists]
  | readonly [keyof Profile, string]
)[] = [
  ['title_id', 'Title', 'titles'],
  ['first_name', 'First Name'],
  ['last_name', 'Last Name'],
  ['middle_name', 'Middle Name'],
  ['address_primary', 'Address'],
  ['postcode_primary', 'Postcode'],
  ['country_id', 'Country', 'countries'],
  ['email_primary', 'Email Address'],
  ['user_username', 'Username'],
  ['tel_primary', 'Telephone'],
  ['gsm_primary', 'Mobile'],
  ['fax_primary', 'Fax'],
];

/** Formats a postcode or a telephone number for reading. */
function written(name: keyof Profile, value: string): string {
  return name === 'postcode_primary' ? formatPostcode(value) : formatPhone(value);
}

/**
 * Returns the label and the text of each field with a value. Leaves out a title or country without
 * a known name.
 */
export function labelled(profile: Profile, lists: Lists = {}): { label: string; value: string }[] {
  return FIELDS.flatMap(([name, label, list]) => {
    const raw = profile[name];
    const value = list ? lists[list]?.find(({ id }) => id === raw)?.title : raw;
    const text = value === null || value === undefined ? '' : written(name, String(value).trim());
    return text ? [{ label, value: text }] : [];
  });
}

/** Shows the customer's details, to read and to change. */
export function Details({ profile }: { profile: Profile }) {
  const { data: site } = useSite();
  const { mutate } = useProfile();
  const draft = useSignal(detailsDraft);
  const editing = draft !== null && draft.user === profile.user_uuid;
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(editing);
  /** The address before the last save of another address. */
  const [earlierAddress, setEarlierAddress] = useState<Address | null>(null);

  useEffect(() => {
    // Drops the unsaved changes of another user.
    if (draft && !editing) detailsDraft.set(null);
    if (wasEditing.current && !editing) edit.current?.focus();
    wasEditing.current = editing;
  }, [draft, editing]);

  const saveChange = async (change: ProfileChange) => {
    await mutate(await saveProfile(change), { revalidate: false });
    if (ADDRESS_FIELDS.some((name) => change[name] !== undefined)) {
      setEarlierAddress((earlier) => earlier ?? profile);
    }
  };

  // After success the pressed button disappears, so the button "Edit" gets the focus.
  const keepFromNote = async (change: ProfileChange) => {
    await saveChange(change);
    edit.current?.focus();
  };

  if (editing) {
    return (
      <Panel title="Your Details">
        <DetailsForm
          profile={profile}
          values={draft.values}
          onSave={saveChange}
          onClose={() => detailsDraft.set(null)}
        />
      </Panel>
    );
  }
  return (
    <Panel
      title="Your Details"
      action={
        <Button
          ref={edit}
          variant="default"
          size="sm"
          aria-label="Edit your details"
          onClick={() => detailsDraft.set({ user: profile.user_uuid, values: valuesOf(profile) })}
        >
          Edit
        </Button>
      }
    >
      <DetailsList fields={labelled(profile, site)} />
      {profile.email_pending && (
        <PendingEmail profile={profile} pending={profile.email_pending} onSave={keepFromNote} />
      )}
      {earlierAddress && <PolicyAddresses before={earlierAddress} now={profile} />}
      {profile.marketing_contact && <Marketing onSave={keepFromNote} />}
    </Panel>
  );
}

interface SaveProps {
  onSave: (change: ProfileChange) => Promise<void>;
}

const NOTHING = () => ({});

function useSaving({ onSave }: SaveProps) {
  const { working, run } = useSubmit(NOTHING);
  const save = (change: ProfileChange, message: string) =>
    void run(async () => {
      try {
        await onSave(change);
        showSnackbar(message);
      } catch (failure) {
        showSnackbar(reasonOf(failure));
      }
    });
  return { working, save };
}

interface PendingProps extends SaveProps {
  profile: Profile;
  pending: string;
}

/**
 * Shows a new mail address that the customer has not confirmed. After the confirmation, the new
 * address replaces the old address. Until then the customer can withdraw the new address.
 */
function PendingEmail({ profile, pending, onSave }: PendingProps) {
  const { working, save } = useSaving({ onSave });
  const present = profile.email_primary ?? '';
  return (
    <Stack gap="sm" align="flex-start" mt="1.25rem" className="note">
      <Text>
        We sent a link to{' '}
        <strong>
          <MailText address={pending} />
        </strong>
        . Your email address changes once you follow it. Until then we write to{' '}
        <MailText address={present} />.
      </Text>
      <Button
        variant="default"
        size="sm"
        aria-disabled={working || undefined}
        onClick={() => save({ email_primary: present }, 'Your email address stays as it is.')}
      >
        Keep my present address
      </Button>
    </Stack>
  );
}

function Marketing({ onSave }: SaveProps) {
  const { working, save } = useSaving({ onSave });
  return (
    <Group gap="0.25rem 1rem" mt="1.25rem" className={`hint ${classes.quiet}`}>
      You agreed to get offers and news by email.
      <Button
        variant="subtle"
        size="compact-sm"
        mih="2.75rem"
        aria-disabled={working || undefined}
        onClick={() =>
          save({ marketing_contact: false }, "We won't send you offers and news any more.")
        }
      >
        Stop these emails
      </Button>
    </Group>
  );
}
