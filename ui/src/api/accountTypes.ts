import type { Profile, Site } from './types';

/** The person logged in. Null for a visitor who only holds a quote's token. */
export type AccountProfile = Profile & {
  marketing_contact: boolean | null;
  /** The address that has yet to be confirmed from its own mailbox. */
  email_pending: string | null;
};

export type ProfileText =
  | 'first_name'
  | 'middle_name'
  | 'last_name'
  | 'email_primary'
  | 'address_primary'
  | 'postcode_primary'
  | 'tel_primary'
  | 'gsm_primary'
  | 'fax_primary';

export type ProfileChoice = 'title_id' | 'country_id';

/** What is left out stays as it is; an empty text clears. */
export type ProfileChange = Partial<
  Record<ProfileText, string> & Record<ProfileChoice, number | ''> & { marketing_contact: boolean }
>;

export interface Choice {
  id: number;
  title: string;
}

export interface PasswordRule {
  min_length: number;
  max_length: number;
  uppercase: boolean;
  lowercase: boolean;
  digit: boolean;
  special: boolean;
  no_whitespace: boolean;
}

export type AccountSite = Site & {
  titles?: Choice[];
  countries?: Choice[];
  password_rule?: PasswordRule;
};

/** Whose password a mailed link resets. */
export interface ResetProfile {
  email_primary: string | null;
  first_name: string | null;
  identifier: string;
  last_name: string | null;
  user_username: string | null;
}
