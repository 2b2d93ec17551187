import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { SWRConfig } from 'swr';
import { describe, expect, test } from 'vitest';
import { siteWith } from '../../../testing/data';
import { FORM } from '../../../testing/products/product';
import { serve } from '../../../testing/server';
import type { Scalar } from '../../types';
import { TypedAddress } from './TypedAddress';

const MISSING = 'Enter your town or city';
const field = FORM.datasets.flatMap(({ fields }) => fields).find(({ kind }) => kind === 'address');

/** Shows an address with an error while it has one line. Returns the latest address. */
function showAddress(start: string, { needsTown = true, path = 'address_primary' } = {}) {
  const latest: { address: Scalar } = { address: start };
  function Page() {
    const [address, setAddress] = useState<Scalar>(start);
    latest.address = address;
    if (!field) throw new Error('The product has no address.');
    return (
      <TypedAddress
        field={field}
        path={path}
        options={[]}
        value={address}
        error={String(address).includes('\n') ? undefined : MISSING}
        onChange={setAddress}
        onLeave={() => undefined}
      />
    );
  }
  serve({ 'GET /api/v1/site': () => ({ data: siteWith({ needs_town: needsTown }) }) });
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>
      <MantineProvider env="test">
        <Page />
      </MantineProvider>
    </SWRConfig>,
  );
  return latest;
}

const lines = () => screen.getByLabelText<HTMLTextAreaElement>('Address');
const town = () => screen.findByLabelText<HTMLInputElement>('Town or city');

describe('a typed address', () => {
  test('asks for the town that it lacks, and keeps it as its last line', async () => {
    const latest = showAddress('1 High Street');
    const user = userEvent.setup();
    const input = await town();
    // The error is at the town, and so is the focus after a check.
    expect(document.getElementById('answer-address_primary')).toBe(input);
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(lines().getAttribute('aria-invalid')).not.toBe('true');
    await user.type(input, 'Leeds');
    expect(latest.address).toBe('1 High Street\nLeeds');
    expect(screen.queryByText(MISSING)).toBeNull();
    await user.type(lines(), '{Enter}Headingley');
    expect(latest.address).toBe('1 High Street\nHeadingley\nLeeds');
    expect(document.activeElement).toBe(lines());
    await user.clear(await town());
    expect(lines().value).toBe('1 High Street\nHeadingley');
    expect(latest.address).toBe('1 High Street, Headingley');
    expect((await town()).getAttribute('aria-invalid')).toBe('true');
  });

  test('shows the town of an earlier address', async () => {
    showAddress('Flat 2\n1 High Street\nLeeds');
    expect((await town()).value).toBe('Leeds');
    expect(lines().value).toBe('Flat 2\n1 High Street');
  });

  for (const [name, options] of [
    ['no gateway needs it', { needsTown: false }],
    ['it is not the address of the payer', { path: 'berths.0.lines' }],
  ] as const) {
    test(`has one input if ${name}`, async () => {
      showAddress('1 High Street\nLeeds', options);
      expect(lines().value).toBe('1 High Street\nLeeds');
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(screen.queryByLabelText('Town or city')).toBeNull();
    });
  }
});
