import { formatDateTime } from '../../lib/dates/dates';
import { recentErrors } from '../../lib/errors';
import { useSignal } from '../../lib/useSignal';

/** Shows the latest failures, so that the customer can read them out on the telephone. */
export function RecentErrors() {
  const errors = useSignal(recentErrors);
  if (errors.length === 0) return null;
  return (
    <details className="more">
      <summary>Details for our team</summary>
      <ol className="bullets">
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
