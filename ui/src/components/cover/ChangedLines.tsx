import type { Adjustment } from '../../api/policyTypes';
import classes from './ChangedLines.module.css';
import { changeText } from './changeText';

/** What a change changes, a line each. */
export function ChangedLines({ changes }: Pick<Adjustment, 'changes'>) {
  return (
    <ul className={classes.lines}>
      {changes.map((change) => (
        <li key={`${change.kind} ${change.path}`}>
          {change.label}: {changeText(change)}
        </li>
      ))}
    </ul>
  );
}
