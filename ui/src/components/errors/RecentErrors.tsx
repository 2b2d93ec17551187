import { formatDateTime } from '../../lib/dates';
import { recentErrors } from '../../lib/errors';
import { useSignal } from '../../lib/useSignal';
import classes from './ErrorBody.module.css';

/** The latest failures, to be read out on the telephone. They contain no personal data. */
export function RecentErrors() {
  const errors = useSignal(recentErrors);
  if (errors.length === 0) return null;
  return (
    <details className={classes.recent}>
      <summary>Details for our team</summary>
      <ol>
        {errors.map((error) => (
          <li key={`${error.at} ${error.message}`}>
            {formatDateTime(error.at)} {error.message}
            {error.status ? ` (${error.status})` : ''}
            {error.requestId ? `, reference ${error.requestId}` : ''}
          </li>
        ))}
      </ol>
    </details>
  );
}
