import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { PolicyTerm } from '../../../api/policies/policyTypes';
import { UUID } from '../../../testing/data';
import { COMPARISON, may, RENEWAL, term } from '../../../testing/policy';
import { serve, show } from '../../../testing/server';
import { PolicyLinks } from './PolicyLinks';

async function links(policy?: PolicyTerm): Promise<(string | null)[]> {
  serve();
  show({ '/': <PolicyLinks uuid={UUID} reference="BRK1" policy={policy} /> }, '/');
  const found = await screen.findAllByRole('link');
  return found.map((link) => link.getAttribute('href'));
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test('documents are always a link; the rest where it may be done', async () => {
  expect(await links()).toEqual([`/policy/view/${UUID}#documents`]);
});

test('a policy that may be changed and renewed has all of them', async () => {
  const { reference, price, price_last_year, price_new_customer, starts } = COMPARISON;
  const renewal = {
    quote_uuid: RENEWAL,
    reference,
    status_id: 1 as const,
    price,
    price_last_year,
    price_new_customer,
    starts,
    holds_until: starts,
    charge_on: null,
    plan: null,
  };
  expect(await links(term({ can: may({ change: true, renew: true }), renewal }))).toEqual([
    `/policy/view/${UUID}#documents`,
    `/quote/edit/${UUID}`,
    `/policy/view/${UUID}#renewal`,
  ]);
  expect(screen.getByRole('link', { name: 'Renew, policy BRK1' })).toBeTruthy();
});
