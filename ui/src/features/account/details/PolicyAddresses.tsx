import { Anchor, Box, Text, VisuallyHidden } from '@mantine/core';
import { usePolicyRead } from '../../../api/hooks';
import { type ListItem, type Profile, STATUS } from '../../../api/types';
import { formatPostcode } from '../../../lib/format/uk';
import { paths } from '../../../lib/routes/paths';
import { addressText, isSameAddress } from '../../../shared/address/address';
import { AppLink } from '../../../ui/basics/AppLink';
import { MODES } from '../list/modes';
import { useListPage } from '../list/useList';

export type Address = Pick<Profile, 'address_primary' | 'postcode_primary'>;

interface Props {
  /** The address before the save. */
  before: Address;
  now: Address;
}

/** The most policies that are compared. */
const MAX_POLICIES = 20;

/**
 * Lists the live policies that still have the account's earlier address, with links to change it.
 * A policy without that postcode has an address of its own, and is not listed.
 */
export function PolicyAddresses({ before, now }: Props) {
  const { data } = useListPage({
    page: 0,
    limit: MAX_POLICIES,
    sortBy: 'id',
    desc: true,
    'quoteStatus[]': [STATUS.live],
    ...MODES.policy.flags,
  });
  return data?.data.map((item) => (
    <PolicyAddress key={item.policy_uuid} item={item} before={before} now={now} />
  ));
}

function PolicyAddress({ item, before, now }: Props & { item: ListItem }) {
  const { data: read } = usePolicyRead(item.policy_uuid);
  const { address_primary, postcode_primary } = read?.values ?? {};
  const policy = read?.policy;
  if (!policy || typeof address_primary !== 'string') return null;
  const own = { address_primary, postcode_primary };
  const hasEarlierPostcode =
    formatPostcode(String(postcode_primary ?? '')) ===
    formatPostcode(before.postcode_primary ?? '');
  if (!hasEarlierPostcode || isSameAddress(own, now)) return null;
  const name = `${item.product_short_title} ${item.custom_id}`;
  return (
    <Box className="note" mt="md">
      <Text>
        {name} still has <bdi>{addressText(own)}</bdi>.
      </Text>
      {policy.can.change ? (
        <Anchor
          component={AppLink}
          to={paths.quoteEdit(item.policy_uuid, { task: 'move', address: 'account' })}
          className="touchTarget"
          fw={500}
        >
          Change its address and see the price
          <VisuallyHidden>, policy {item.custom_id}</VisuallyHidden>
        </Anchor>
      ) : (
        <Text>{policy.why_not?.change ?? 'Please call us to change it.'}</Text>
      )}
    </Box>
  );
}
