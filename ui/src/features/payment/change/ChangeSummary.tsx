import type { ReactNode } from 'react';
import type { Adjustment } from '../../../api/policies/policyTypes';
import { formatDate } from '../../../lib/dates/dates';
import { changedAnswer, changeText } from '../../../shared/change/changeText';
import { Panel } from '../../../ui/basics/Panel';
import classes from './ChangeSummary.module.css';

/** Shows the first day of a change, and the changed answers before and after. */
export function ChangeSummary({
  adjustment,
  children,
}: {
  adjustment: Adjustment;
  children?: ReactNode;
}) {
  return (
    <Panel title="Your change">
      <dl className="facts">
        <div>
          <dt>From</dt>
          <dd>{formatDate(adjustment.effective_date)}</dd>
        </div>
        {adjustment.changes.map((change) => (
          <div key={`${change.kind} ${change.path}`}>
            <dt>{change.label}</dt>
            <dd className={classes.change}>
              {change.kind === 'answer' ? (
                <>
                  <bdi>{changedAnswer(change.before)}</bdi> →{' '}
                  <bdi>{changedAnswer(change.after)}</bdi>
                </>
              ) : (
                <bdi>{changeText(change)}</bdi>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {children}
    </Panel>
  );
}
