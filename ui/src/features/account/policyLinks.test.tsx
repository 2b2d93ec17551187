import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { serve, show } from '../../testing/server';
import { PolicyLinks } from './PolicyLinks';

const UUID = '0197f3c2-0000-7000-8000-000000000001';

function links(can: Record<string, boolean> | null, renewal = false): (string | null)[] {
  serve();
  const policy = can && ({ can, renewal: renewal ? {} : null } as never);
  show({ '/': <PolicyLinks uuid={UUID} reference="BRK1" policy={policy ?? undefined} /> }, '/');
  return screen.getAllByRole('link').map((link) => link.getAttribute('href'));
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test('documents are always a link; the rest where it may be done', () => {
  expect(links(null)).toEqual([`/policy/view/${UUID}#documents`]);
});

test('a policy that may be changed and renewed has all of them', () => {
  expect(links({ change: true, renew: true }, true)).toEqual([
    `/policy/view/${UUID}#documents`,
    `/quote/edit/${UUID}`,
    `/policy/view/${UUID}#renewal`,
  ]);
  expect(screen.getByRole('link', { name: 'Renew, policy BRK1' })).toBeTruthy();
});
