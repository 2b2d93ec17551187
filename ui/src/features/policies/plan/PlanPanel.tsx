import { Anchor } from '@mantine/core';
import type { ComponentProps } from 'react';
import { paths } from '../../../lib/routes/paths';
import { PlanPayments } from '../../../shared/plan/PlanPayments';
import { AppLink } from '../../../ui/basics/AppLink';
import { Panel } from '../../../ui/basics/Panel';

/** Shows the monthly payments of a policy. Letters and other pages link to this card. */
export function PlanPanel(props: ComponentProps<typeof PlanPayments>) {
  return (
    <div id="payments" tabIndex={-1} className="anchor">
      <Panel
        title="Monthly payments"
        action={
          <Anchor component={AppLink} to={paths.dashboard('payments')} className="touchTarget">
            All payments and cards
          </Anchor>
        }
      >
        <PlanPayments {...props} />
      </Panel>
    </div>
  );
}
