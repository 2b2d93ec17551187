import type { Profile, ProfileChange } from '../../../api/types';
import { formatPhone } from '../../../lib/format/phone';
import { createSignal } from '../../../lib/signal';

type KeysOf<T> = {
  [K in keyof ProfileChange]-?: NonNullable<ProfileChange[K]> extends T ? K : never;
}[keyof ProfileChange];

export type ProfileText = KeysOf<string>;
/** Fields whose value is the id of an entry of a list. */
export type ProfileChoice = KeysOf<number>;

export const TEXTS: readonly ProfileText[] = [
  'first_name',
  'middle_name',
  'last_name',
  'address_primary',
  'postcode_primary',
  'email_primary',
  'tel_primary',
  'gsm_primary',
  'fax_primary',
];

const CHOICES: readonly ProfileChoice[] = ['title_id', 'country_id'];

export type DetailsValues = Record<ProfileText | ProfileChoice, string> & { marketing: boolean };

interface DetailsDraft {
  /** The uuid of the user who edits. The page never shows the draft to another user. */
  user: string | null;
  values: DetailsValues;
}

/**
 * The edited details. The signal keeps the typed text when the user changes the section or the
 * session ends.
 */
export const detailsDraft = createSignal<DetailsDraft | null>(null);

export function valuesOf(profile: Profile): DetailsValues {
  const texts = [...TEXTS, ...CHOICES].map((name) => [
    name,
    formatPhone(String(profile[name] ?? '')),
  ]);
  return {
    ...(Object.fromEntries(texts) as Record<ProfileText | ProfileChoice, string>),
    marketing: profile.marketing_contact === true,
  };
}

/** Returns the changed fields. The server keeps the value of a field that is left out. */
export function changeOf(profile: Profile, values: DetailsValues): ProfileChange {
  const before = valuesOf(profile);
  const change: ProfileChange = {};
  for (const name of TEXTS) {
    const value = values[name].trim();
    if (value !== before[name].trim()) change[name] = value;
  }
  for (const name of CHOICES) {
    // The server can replace the value of a choice but can't clear it, so an empty choice is left
    // out.
    if (values[name] && values[name] !== before[name]) change[name] = Number(values[name]);
  }
  if (values.marketing !== before.marketing) change.marketing_contact = values.marketing;
  return change;
}

export function isChanged(change: ProfileChange): boolean {
  return Object.keys(change).length > 0;
}

const NEEDED: Partial<Record<ProfileText, string>> = {
  first_name: 'Enter your first name',
  last_name: 'Enter your last name',
  email_primary: 'Enter your email address',
};

/**
 * Returns an error for each required field that the change empties. A field that was empty before
 * is not required.
 */
export function missingIn(change: ProfileChange): Record<string, string[]> {
  const missing: Record<string, string[]> = {};
  for (const [name, text] of Object.entries(NEEDED)) {
    if (change[name as ProfileText] === '') missing[name] = [text];
  }
  return missing;
}
