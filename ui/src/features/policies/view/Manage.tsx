import { Button, Title } from '@mantine/core';
import type { PolicyAction, PolicyTerm } from '../../../api/policies/policyTypes';
import { paths } from '../../../lib/routes/paths';
import { AppLink } from '../../../ui/basics/AppLink';
import { Panel } from '../../../ui/basics/Panel';
import type { Task } from '../change/tasks/tasks';
import classes from './Manage.module.css';

export type EndAction = 'cancel' | 'not_take_up';

interface Props {
  uuid: string;
  policy: PolicyTerm;
  ending: EndAction | null;
  onEnding: (ending: EndAction, opener: HTMLElement) => void;
  /** Starts a quote with the same answers. Set if the policy has ended and is not renewed. */
  onBuyAgain?: () => void;
  /** The common changes that the product's form allows. */
  tasks: Pick<Task, 'id' | 'label'>[];
}

/**
 * Returns the actions whose refusal the page explains. If the customer may undo the policy, the
 * page does not explain why cancelling is refused. If the customer may cancel the policy, the page
 * does not explain why undoing is refused.
 */
function actionsToShow({ can }: PolicyTerm): PolicyAction[] {
  const ends = can.cancel || can.not_take_up;
  return ['change', 'renew', ...(ends ? [] : (['not_take_up', 'cancel'] as const))];
}

/** Shows buttons for the permitted actions, and the reasons why other actions are refused. */
export function Manage({ uuid, policy, ending, onEnding, onBuyAgain, tasks }: Props) {
  const { can, why_not: reasonTexts, renewal, renewed_by: renewedBy, renews: previous } = policy;
  const reasons = new Set(
    actionsToShow(policy).flatMap((action) =>
      can[action] || !reasonTexts?.[action] ? [] : [reasonTexts[action]],
    ),
  );
  // If the cover ends early, the next term would leave a gap, so the page offers no renewal.
  const renews = can.renew === true && renewal && !policy.pending_cancellation;
  const any =
    can.change || can.cancel || can.not_take_up || renews || onBuyAgain || renewedBy || previous;
  if (!any && reasons.size === 0) return null;
  return (
    <Panel title="Manage your policy" className="screenOnly">
      <div className={classes.actions}>
        {onBuyAgain && <Button onClick={onBuyAgain}>Buy again</Button>}
        {renewedBy && (
          <Button component={AppLink} to={paths.policyView(renewedBy)}>
            View your new policy
          </Button>
        )}
        {renews && (
          <Button component="a" href="#renewal" variant="light">
            Renew
          </Button>
        )}
        {can.change && tasks.length > 0 && (
          <>
            <Title order={3} size="md">
              Make a change
            </Title>
            {tasks.map(({ id, label }) => (
              <Button
                key={id}
                component={AppLink}
                to={paths.quoteEdit(uuid, { task: id })}
                variant="default"
              >
                {label}
              </Button>
            ))}
          </>
        )}
        {can.change && (
          <Button component={AppLink} to={paths.quoteEdit(uuid)} variant="default">
            Change cover
          </Button>
        )}
        {can.not_take_up && (
          <Button
            variant="default"
            aria-expanded={ending === 'not_take_up'}
            onClick={(event) => onEnding('not_take_up', event.currentTarget)}
          >
            I don't want this after all
          </Button>
        )}
        {can.cancel && !can.not_take_up && (
          <Button
            variant="default"
            aria-expanded={ending === 'cancel'}
            onClick={(event) => onEnding('cancel', event.currentTarget)}
          >
            Cancel cover
          </Button>
        )}
        {previous && (
          <Button component={AppLink} to={paths.policyView(previous)} variant="default">
            View your earlier policy
          </Button>
        )}
      </div>
      {reasons.size > 0 && (
        <ul className="lines hint" style={{ marginTop: '0.75rem' }}>
          {[...reasons].map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
