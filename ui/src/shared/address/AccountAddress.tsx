import { Button, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { ApiError, api } from '../../api/client';
import { reasonOf } from '../../api/failure';
import { usePolicyRead, useProfile } from '../../api/hooks';
import type { Adjustment } from '../../api/policies/policyTypes';
import { Panel } from '../../ui/basics/Panel';
import { FormError } from '../../ui/inputs/FormError';
import { ADDRESS_FIELDS, addressText, isSameAddress } from './address';

interface Props {
  policy: string;
  adjustment: Adjustment;
}

/** Offers to save a policy's new address in the account too, after a change of the address. */
export function AccountAddress({ policy, adjustment }: Props) {
  const { data: profile, mutate } = useProfile();
  const { data: read } = usePolicyRead(policy);
  const [saved, setSaved] = useState(false);
  const [working, setWorking] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const text = useRef<HTMLParagraphElement>(null);
  const hasMoved =
    adjustment.status === 'applied' &&
    adjustment.changes.some(({ path }) => ADDRESS_FIELDS.some((name) => name === path));
  const { address_primary: lines, postcode_primary: code } = read?.values ?? {};
  if (!hasMoved || !profile || typeof lines !== 'string' || typeof code !== 'string') return null;
  if (!saved && isSameAddress(profile, { address_primary: lines, postcode_primary: code })) {
    return null;
  }

  const save = async () => {
    if (working) return;
    setWorking(true);
    setFailure(null);
    try {
      const body = { address_primary: lines, postcode_primary: code };
      const changed = await api.put('/api/v1/profile', { body });
      setSaved(true);
      await mutate(changed, { revalidate: false });
      text.current?.focus();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error);
    } finally {
      setWorking(false);
    }
  };
  const accountAddress = addressText(profile);
  return (
    <Panel title="The address of your account" className="screenOnly">
      <Stack gap="md" align="flex-start">
        <Text ref={text} tabIndex={-1}>
          {saved
            ? 'Your account has the new address now: '
            : accountAddress
              ? 'Your account has another address: '
              : 'Your account has no address yet.'}
          <bdi>{accountAddress}</bdi>
        </Text>
        {!saved && (
          <Button variant="default" aria-disabled={working || undefined} onClick={save}>
            {working ? 'Please wait...' : 'Use the new address there too'}
          </Button>
        )}
        <FormError texts={failure ? [reasonOf(failure)] : []} />
      </Stack>
    </Panel>
  );
}
