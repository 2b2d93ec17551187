import { Button, Text } from '@mantine/core';
import { usePolicyRead } from '../../../api/hooks';
import type { Adjustment } from '../../../api/policies/policyTypes';
import { paths } from '../../../lib/routes/paths';
import { changeMoney } from '../../../shared/change/changeMoney';
import { withoutChange } from '../../../shared/cover/policyStatusText';
import { AppLink } from '../../../ui/basics/AppLink';
import { MessagePage } from '../../../ui/feedback/MessagePage';

/** Shows the page of a payment whose change was withdrawn or dropped. */
export function ChangeWithdrawn({
  policy,
  adjustment,
}: {
  policy: string;
  adjustment: Adjustment;
}) {
  const { data: read } = usePolicyRead(policy);
  const withdrawn = adjustment.status === 'withdrawn';
  return (
    <MessagePage
      title={withdrawn ? 'You withdrew this change' : 'This change is not made any more'}
      actions={
        <Button component={AppLink} to={paths.policyView(policy)}>
          View your policy
        </Button>
      }
    >
      <Text>
        {withoutChange(read)} {changeMoney(adjustment, read?.info.price?.currency)}
      </Text>
    </MessagePage>
  );
}
