import { Anchor } from '@mantine/core';
import { usePolicyRead } from '../../../api/hooks';
import type { PolicyRead } from '../../../api/policies/policyTypes';
import type { ListItem } from '../../../api/types';
import { formatLongDate } from '../../../lib/dates/dates';
import { formatMoney } from '../../../lib/format/money';
import { paths } from '../../../lib/routes/paths';
import { PlanPayments } from '../../../shared/plan/PlanPayments';
import { AppLink } from '../../../ui/basics/AppLink';
import { Facts } from '../../../ui/basics/Facts';
import { Panel } from '../../../ui/basics/Panel';
import { SectionSkeleton } from '../../../ui/feedback/PageSkeleton';
import { RetryLine } from '../../../ui/feedback/RetryLine';

/** Shows the payments of a policy. */
export function PolicyPayments({ item }: { item: ListItem }) {
  const { policy_uuid: uuid, custom_id: reference } = item;
  const read = usePolicyRead(uuid);
  const name = `${item.product_short_title} ${reference}`;
  return (
    <Panel
      title={name}
      action={
        <Anchor
          component={AppLink}
          to={paths.policyView(uuid)}
          className="touchTarget"
          aria-label={`View policy ${reference}`}
        >
          View policy
        </Anchor>
      }
    >
      {read.data ? (
        <Payments read={read.data} />
      ) : read.error ? (
        <RetryLine text="These payments could not be loaded." read={read} />
      ) : (
        <SectionSkeleton label={`Loading the payments of ${name}`} height={120} />
      )}
    </Panel>
  );
}

function Payments({ read: { info, policy } }: { read: PolicyRead }) {
  if (!policy) return null;
  const currency = info.price?.currency;
  if (policy.plan) {
    return <PlanPayments uuid={info.uuid} policy={policy} plan={policy.plan} currency={currency} />;
  }
  return (
    <Facts
      rows={[
        ['Bought', formatLongDate(policy.purchased)],
        ['Paid, less what came back', formatMoney(policy.paid, currency)],
      ]}
    />
  );
}
