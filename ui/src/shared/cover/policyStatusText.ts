import type { Activity, PolicyRead } from '../../api/policies/policyTypes';
import { STATUS } from '../../api/types';
import { formatLongDate } from '../../lib/dates/dates';

/** Returns the text about the end of the cover after a scheduled cancellation. */
export function endText({ last_day: last, effective_date: firstUncovered }: Activity): string {
  return last
    ? `Your cover ends on ${formatLongDate(last)}`
    : `Your policy ends before ${formatLongDate(firstUncovered)}`;
}

/** Returns the text about an ended policy, or null for any other status. */
export function endedText({ info }: PolicyRead): string | null {
  switch (info.status_id) {
    case STATUS.cancelled:
      return 'Your policy is cancelled';
    case STATUS.notTakenUp:
      return 'Your policy was undone';
    case STATUS.expired:
      return 'Your policy has run to its end';
    case STATUS.renewed:
      return 'Your policy was renewed, and has run to its end';
    default:
      return null;
  }
}

/**
 * Returns the text about a change that was not made. If the policy has ended or will end early, the
 * text also says so.
 */
export function withoutChange(read: PolicyRead | undefined): string {
  const ending = read?.policy?.pending_cancellation;
  const state = (read && endedText(read)) ?? (ending ? endText(ending) : null);
  return ['This change is not part of your cover', state].filter(Boolean).join('. ').concat('.');
}
