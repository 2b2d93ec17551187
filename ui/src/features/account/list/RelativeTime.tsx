import dayjs from 'dayjs';
import relativeTime from 'dayjs/plugin/relativeTime';
import { formatDate, formatDateTime } from '../../../lib/dates';
import { useNow } from '../../../lib/now';
import classes from './Rows.module.css';

dayjs.extend(relativeTime);

interface Props {
  at: string;
  /** Whether the hour matters as well as the day. */
  time?: boolean;
  /** Of what has happened: a clock that is slow here doesn't put it into the future. */
  past?: boolean;
}

/** "3 days ago", and the date itself. */
export function RelativeTime({ at, time, past }: Props) {
  const now = useNow();
  const moment = dayjs(at);
  if (!moment.isValid()) return '–';
  const shown = past && moment.isAfter(now) ? dayjs(now) : moment;
  return (
    <>
      <time dateTime={at} title={formatDateTime(at)} className={classes.relative}>
        {shown.from(now)}
      </time>{' '}
      <span className={classes.minor}>{time ? formatDateTime(at) : formatDate(at)}</span>
    </>
  );
}
