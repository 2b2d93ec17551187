import { Button, Text } from '@mantine/core';
import type { Adjustment } from '../../api/policyTypes';
import { AppLink } from '../../components/basics/AppLink';
import { changeMoney } from '../../components/cover/changeMoney';
import { Notice } from '../../components/feedback/Notice';
import { paths } from '../../lib/paths';

/** The page of a payment whose change was taken back before its day, or never came. */
export function ChangeGivenUp({ policy, adjustment }: { policy: string; adjustment: Adjustment }) {
  const withdrawn = adjustment.status === 'withdrawn';
  return (
    <Notice
      title={withdrawn ? 'You withdrew this change' : 'This change is not made any more'}
      actions={
        <Button component={AppLink} to={paths.policyView(policy)}>
          View your policy
        </Button>
      }
    >
      <Text>Your cover stays as it is. {changeMoney(adjustment)}</Text>
    </Notice>
  );
}
