import type { Adjustment } from '../../api/policies/policyTypes';
import { changeText } from './changeText';

/** Shows each changed answer in a line of its own. */
export function ChangedLines({ changes }: Pick<Adjustment, 'changes'>) {
  return (
    <ul className="bullets">
      {changes.map((change) => (
        <li key={`${change.kind} ${change.path}`}>
          {change.label}: {changeText(change)}
        </li>
      ))}
    </ul>
  );
}
