import type { Profile, ProfileChange } from '../../api/types';
import { dialled } from '../../lib/phone';
import { createSignal } from '../../lib/signal';

type Holding<T> = {
  [K in keyof ProfileChange]-?: Required<ProfileChange>[K] extends T ? K : never;
}[keyof ProfileChange];

export type ProfileText = Holding<string>;
/** What is chosen from a list, by its id. */
export type ProfileChoice = Holding<number>;

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
  /** Whose details they are: nobody else ever sees them. */
  user: string | null;
  values: DetailsValues;
}

/**
 * The details while they are being edited. They live outside of the form, so that another tab of
 * the dashboard or a session that ran out takes nothing of what was typed.
 */
export const detailsDraft = createSignal<DetailsDraft | null>(null);

export function valuesOf(profile: Profile): DetailsValues {
  const texts = [...TEXTS, ...CHOICES].map((name) => [name, dialled(String(profile[name] ?? ''))]);
  return {
    ...(Object.fromEntries(texts) as Record<ProfileText | ProfileChoice, string>),
    marketing: profile.marketing_contact === true,
  };
}

/** Only what was changed: what is left out stays as it is. */
export function changeOf(profile: Profile, values: DetailsValues): ProfileChange {
  const before = valuesOf(profile);
  const change: ProfileChange = {};
  for (const name of TEXTS) {
    const value = values[name].trim();
    if (value !== before[name].trim()) change[name] = value;
  }
  for (const name of CHOICES) {
    // Once chosen, there is always one.
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

/** What may not be left empty; a name that was never there is not asked for now. */
export function missingIn(change: ProfileChange): Record<string, string[]> {
  const missing: Record<string, string[]> = {};
  for (const [name, text] of Object.entries(NEEDED)) {
    if (change[name as ProfileText] === '') missing[name] = [text];
  }
  return missing;
}
