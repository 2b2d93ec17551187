import { expect, test } from 'vitest';
import { staysAfterLogout } from '../../api/session/useLogout';
import { labelled } from './details/Details';
import { changeOf, missingIn, valuesOf } from './details/detailsDraft';
import { signOnUrl } from './useAccountData';

const EMPTY = {
  first_name: null,
  last_name: null,
  middle_name: null,
  title_id: null,
  email_primary: null,
  address_primary: null,
  postcode_primary: null,
  tel_primary: null,
  gsm_primary: null,
  fax_primary: null,
  country_id: null,
  user_username: null,
  user_id: null,
  user_uuid: null,
  marketing_contact: null,
  email_pending: null,
};

test('only details that have values are labelled, in their order', () => {
  expect(labelled(EMPTY)).toEqual([]);
  const shown = labelled({
    ...EMPTY,
    gsm_primary: '07700 900123',
    first_name: 'Ann',
    last_name: ' ',
    postcode_primary: 'sw1a1aa',
  });
  expect(shown).toEqual([
    { label: 'First Name', value: 'Ann' },
    { label: 'Postcode', value: 'SW1A 1AA' },
    { label: 'Mobile', value: '07700 900123' },
  ]);
  const all = labelled({
    ...EMPTY,
    first_name: 'Ann',
    last_name: 'Stone',
    middle_name: 'Mary',
    address_primary: '1 High Street',
    postcode_primary: 'SW1A 1AA',
    email_primary: 'ann@example.com',
    user_username: 'ann',
    tel_primary: '020 7946 0018',
    gsm_primary: '07700 900123',
    fax_primary: '020 7946 0019',
  });
  expect(all.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'First Name: Ann',
    'Last Name: Stone',
    'Middle Name: Mary',
    'Address: 1 High Street',
    'Postcode: SW1A 1AA',
    'Email Address: ann@example.com',
    'Username: ann',
    'Telephone: 020 7946 0018',
    'Mobile: 07700 900123',
    'Fax: 020 7946 0019',
  ]);
});

test('logout stays on the dashboard, the index and the breakdown page', () => {
  for (const path of ['/', '/dashboard', '/breakdown', '/breakdown/local']) {
    expect(staysAfterLogout(path), path).toBe(true);
  }
  for (const path of ['/policy/view/1', '/quote/edit', '/breakdown/local/more']) {
    expect(staysAfterLogout(path), path).toBe(false);
  }
});

test('a session that ended leads to sign-on, unless that is here', () => {
  const locationOf = (path: string) => new URL(path, 'https://shop.example') as unknown as Location;
  expect(signOnUrl('/dashboard', locationOf('/dashboard'))).toBeNull();
  expect(signOnUrl('https://id.example/in', locationOf('/dashboard?tab=1'))).toBe(
    'https://id.example/in?state=%2Fdashboard%3Ftab%3D1',
  );
});

test('what is chosen from a list goes by its name, or not at all', () => {
  const lists = { titles: [{ id: 4, title: 'Ms' }], countries: [] };
  expect(labelled({ ...EMPTY, title_id: 4, country_id: 9 }, lists)).toEqual([
    { label: 'Title', value: 'Ms' },
  ]);
  expect(labelled({ ...EMPTY, title_id: 4 })).toEqual([]);
});

test('only what was changed is saved, and what may not be empty is asked for', () => {
  const profile = {
    ...EMPTY,
    first_name: 'Ann',
    title_id: 4,
  };
  const values = valuesOf(profile);
  expect(changeOf(profile, values)).toEqual({});
  expect(changeOf(profile, { ...values, first_name: ' Ann ', last_name: 'Bond ' })).toEqual({
    last_name: 'Bond',
  });
  expect(changeOf(profile, { ...values, country_id: '2', marketing: true })).toEqual({
    country_id: 2,
    marketing_contact: true,
  });
  expect(missingIn(changeOf(profile, { ...values, first_name: '' }))).toEqual({
    first_name: ['Enter your first name'],
  });
  expect(missingIn({ middle_name: '' })).toEqual({});
});
