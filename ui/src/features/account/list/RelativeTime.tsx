import dayjs from 'dayjs';
import relativeTime from 'dayjs/plugin/relativeTime';
import { formatDate, formatDateTime, formatEnd } from '../../../lib/dates';
import { useNow } from '../../../lib/now';
import classes from './Rows.module.css';

dayjs.extend(relativeTime);

interface Props {
  at: string;
  /** Whether something ends then, so that its last moment is told. */
  end?: boolean;
  /**
   * The time is in the past. If the visitor's clock is slow, it is shown as now and not as future.
   */
  past?: boolean;
}

/** A time as "3 days ago", with the date. */
export function RelativeTime({ at, end, past }: Props) {
  const now = useNow();
  const moment = dayjs(at);
  if (!moment.isValid()) return '–';
  const shown = past && moment.isAfter(now) ? dayjs(now) : moment;
  return (
    <>
      <time
        dateTime={at}
        title={end ? formatEnd(at) : formatDateTime(at)}
        className={classes.relative}
      >
        {shown.from(now)}
      </time>{' '}
      <span className={classes.minor}>{end ? formatEnd(at) : formatDate(at)}</span>
    </>
  );
}
