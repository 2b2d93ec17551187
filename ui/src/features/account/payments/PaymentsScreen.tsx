import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { STATUS } from '../../../api/types';
import { paths } from '../../../lib/routes/paths';
import { AppLink } from '../../../ui/basics/AppLink';
import { Panel } from '../../../ui/basics/Panel';
import { SectionSkeleton } from '../../../ui/feedback/PageSkeleton';
import { RetryLine } from '../../../ui/feedback/RetryLine';
import { MODES } from '../list/modes';
import { useListPage } from '../list/useList';
import { PolicyPayments } from './PolicyPayments';
import { StoredCards } from './StoredCards';

const PAGE_SIZE = 10;

/** Shows what the customer has paid and what is due, policy by policy, and the stored cards. */
export default function PaymentsScreen() {
  return (
    <Container size={860}>
      <Stack gap="xl">
        <Title order={1}>Payments</Title>
        <Policies />
        <StoredCards />
      </Stack>
    </Container>
  );
}

function Policies() {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { statuses, flags } = MODES.policy;
  const query = { page: 0, limit, sortBy: 'id', desc: true, 'quoteStatus[]': [...statuses] };
  const read = useListPage({ ...query, ...flags }, { keepPreviousData: true });
  const { data: page, error, isValidating } = read;
  if (!page) {
    if (!error) return <SectionSkeleton label="Loading your payments" height={220} />;
    return (
      <Panel>
        <RetryLine text="Your payments could not be loaded." read={read} />
      </Panel>
    );
  }
  if (page.total === 0) {
    return (
      <Panel>
        <Text mb="md">You have no policy yet, so there is nothing to pay.</Text>
        <Button component={AppLink} to={paths.home()}>
          Get a quote
        </Button>
      </Panel>
    );
  }
  const isLive = (status: number) => (status === STATUS.live ? 0 : 1);
  const items = page.data.toSorted((a, b) => isLive(a.status_id) - isLive(b.status_id));
  return (
    <Stack gap="lg">
      {items.map((item) => (
        <PolicyPayments key={item.policy_uuid} item={item} />
      ))}
      {page.total > page.data.length && (
        <Button
          variant="default"
          w="fit-content"
          aria-disabled={isValidating || undefined}
          onClick={() => !isValidating && setLimit(limit + PAGE_SIZE)}
        >
          {isValidating ? 'Please wait...' : 'Show earlier policies'}
        </Button>
      )}
    </Stack>
  );
}
