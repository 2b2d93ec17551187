import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type HTMLAttributes, useEffect } from 'react';
import { useBeforeUnload } from 'react-router';
import { ApiError } from '../../../api/client';
import { errorsOf, reasonOf } from '../../../api/failure';
import { useSite } from '../../../api/hooks';
import type { Choice, Profile, ProfileChange } from '../../../api/types';
import { confirm } from '../../../lib/messages/confirm';
import { showSnackbar } from '../../../lib/messages/snackbar';
import { useSubmit } from '../../../lib/useSubmit';
import { ChevronIcon } from '../../../ui/icons/icons';
import { Check } from '../../../ui/inputs/Check';
import { FormError } from '../../../ui/inputs/FormError';
import { DetailsGrid } from './DetailsGrid';
import {
  changeOf,
  type DetailsValues,
  detailsDraft,
  isChanged,
  missingIn,
  type ProfileChoice,
  type ProfileText,
} from './detailsDraft';

interface Props {
  profile: Profile;
  values: DetailsValues;
  onSave: (change: ProfileChange) => Promise<void>;
  onClose: () => void;
}

interface DetailsInput {
  label: string;
  autoComplete: string;
  type?: 'email' | 'tel';
  autoCapitalize?: HTMLAttributes<HTMLInputElement>['autoCapitalize'];
  maxLength: number;
}

const FIELDS: Record<Exclude<ProfileText, 'address_primary'>, DetailsInput> = {
  first_name: { label: 'First Name', autoComplete: 'given-name', maxLength: 50 },
  middle_name: { label: 'Middle Name', autoComplete: 'additional-name', maxLength: 50 },
  last_name: { label: 'Last Name', autoComplete: 'family-name', maxLength: 50 },
  postcode_primary: {
    label: 'Postcode',
    autoComplete: 'postal-code',
    autoCapitalize: 'characters',
    maxLength: 12,
  },
  email_primary: {
    label: 'Email Address',
    autoComplete: 'email',
    type: 'email',
    autoCapitalize: 'none',
    maxLength: 254,
  },
  tel_primary: { label: 'Telephone', autoComplete: 'tel', type: 'tel', maxLength: 30 },
  gsm_primary: { label: 'Mobile', autoComplete: 'mobile tel', type: 'tel', maxLength: 30 },
  fax_primary: { label: 'Fax', autoComplete: 'fax tel', type: 'tel', maxLength: 30 },
};

/**
 * The message for empty required fields. The form sends no call, and shows the message like an
 * answer with status 422.
 */
const INCOMPLETE = 'Please correct what is marked.';

/** Shows the form for the details. `detailsDraft` holds the typed text. */
export function DetailsForm({ profile, values, onSave, onClose }: Props) {
  const { data: site } = useSite();
  const { form: element, working, failure, run } = useSubmit(errorsOf);
  const errors = errorsOf(failure);
  // Mantine's form clears the error of a field when its value changes.
  const form = useForm({
    initialValues: values,
    onValuesChange: (typed) => detailsDraft.set({ user: profile.user_uuid, values: typed }),
  });
  const change = changeOf(profile, form.values);
  const dirty = isChanged(change);

  useBeforeUnload((event) => {
    if (dirty) event.preventDefault();
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first focus, set once
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('input, select')?.focus({ preventScroll: true });
  }, []);

  const submit = form.onSubmit(async () => {
    if (!dirty) return onClose();
    const isSaved = await run(async () => {
      try {
        const missing = missingIn(change);
        if (isChanged(missing)) throw new ApiError(422, INCOMPLETE, missing);
        await onSave(change);
      } catch (refusal) {
        for (const [name, texts] of Object.entries(errorsOf(refusal))) {
          form.setFieldError(name, texts[0]);
        }
        throw refusal;
      }
    });
    if (!isSaved) return;
    onClose();
    showSnackbar(
      change.email_primary === undefined
        ? 'Your details are saved.'
        : 'Your details are saved. Please confirm your new email address in its mailbox.',
    );
  });

  async function cancel() {
    const question = {
      title: 'Leave your details as they were?',
      message: 'What you changed is not saved yet.',
      yes: 'Discard changes',
      cancel: 'Keep editing',
    };
    if (!dirty || (await confirm(question))) onClose();
  }

  const text = (name: keyof typeof FIELDS, description?: string) => (
    <TextInput
      {...FIELDS[name]}
      {...form.getInputProps(name)}
      name={name}
      dir="auto"
      description={description}
      spellCheck={false}
      readOnly={working}
    />
  );
  const choice = (name: ProfileChoice, label: string, list: Choice[], auto: string) => (
    <NativeSelect
      {...form.getInputProps(name)}
      label={label}
      name={name}
      autoComplete={auto}
      rightSection={<ChevronIcon />}
      disabled={working}
      data={[
        ...(profile[name] === null ? [{ value: '', label: 'Choose…' }] : []),
        ...list.map(({ id, title }) => ({ value: String(id), label: title })),
      ]}
    />
  );

  const shown = new Set<string>([...Object.keys(FIELDS), 'address_primary']);
  if (site?.titles) shown.add('title_id');
  if (site?.countries) shown.add('country_id');
  const elsewhere = Object.entries(errors).flatMap(([name, texts]) =>
    shown.has(name) ? [] : texts,
  );
  const formErrors = failure ? [reasonOf(failure), ...elsewhere] : [];

  return (
    <form ref={element} onSubmit={submit} noValidate>
      <Stack gap="md">
        <DetailsGrid>
          {site?.titles && choice('title_id', 'Title', site.titles, 'honorific-prefix')}
          {text('first_name')}
          {text('middle_name')}
          {text('last_name')}
          <Textarea
            {...form.getInputProps('address_primary')}
            wrapperProps={{ 'data-wide': true }}
            label="Address"
            name="address_primary"
            autoComplete="street-address"
            dir="auto"
            rows={3}
            maxLength={300}
            readOnly={working}
          />
          {text('postcode_primary')}
          {site?.countries && choice('country_id', 'Country', site.countries, 'country')}
          <div data-wide>
            {text(
              'email_primary',
              "We send a link to a new address. It takes the old one's place once you follow it.",
            )}
          </div>
          {text('tel_primary')}
          {text('gsm_primary')}
          {text('fax_primary')}
          <div data-wide>
            <Check
              label="Send me offers and news by email. You can stop them at any time."
              name="marketing_contact"
              {...form.getInputProps('marketing', { type: 'checkbox' })}
              disabled={working}
            />
          </div>
        </DetailsGrid>
        <FormError texts={formErrors} />
        <Group gap="sm">
          <Button type="submit" disabled={working}>
            {working ? 'Please wait...' : 'Save'}
          </Button>
          <Button variant="default" disabled={working} onClick={() => void cancel()}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
