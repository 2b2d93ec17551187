import type { Adjustment } from '../../api/policies/policyTypes';
import { changeText } from './changeText';

/** Shows the differences of a change, a line each. */
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
