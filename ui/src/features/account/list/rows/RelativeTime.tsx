import dayjs from 'dayjs';
import relativeTime from 'dayjs/plugin/relativeTime';
import {
  formatDate,
  formatDateTime,
  formatEnd,
  lastDay,
  toIsoDate,
} from '../../../../lib/dates/dates';
import { useNow, useToday } from '../../../../lib/dates/now';
import classes from './RelativeTime.module.css';
import { MinorText } from './RowText';

/**
 * Times are rounded down. `r` is the largest number for the label `l`. The number is in the unit
 * `d` or, without `d`, in the unit of the entry before.
 */
const THRESHOLDS = [
  { l: 's', r: 59, d: 'second' },
  { l: 'm', r: 119 },
  { l: 'mm', r: 59, d: 'minute' },
  { l: 'h', r: 119 },
  { l: 'hh', r: 23, d: 'hour' },
  { l: 'd', r: 47 },
  { l: 'dd', r: 30, d: 'day' },
  { l: 'M', r: 30 },
  { l: 'MM', r: 23, d: 'month' },
  { l: 'y', r: 23 },
  { l: 'yy', d: 'year' },
];

dayjs.extend(relativeTime, { thresholds: THRESHOLDS, rounding: Math.floor });

interface Props {
  timestamp: string;
  /**
   * Whether the time is the end of a period. If the period ends at midnight, the text shows its
   * last day.
   */
  end?: boolean;
  /**
   * Whether the time is in the past. If the visitor's clock is slow, the text shows the present
   * instead of a future time.
   */
  isPast?: boolean;
}

/** Formats a day as "today" or "in 3 days". Both days are `yyyy-MM-dd`. */
function inDays(day: string, today: string): string {
  const begin = (date: string) => dayjs(`${date}T00:00:00Z`);
  return day === today ? 'today' : begin(day).from(begin(today));
}

/** Shows a time as "3 days ago", with the date. */
export function RelativeTime({ timestamp, end, isPast }: Props) {
  const now = useNow();
  const today = useToday();
  const moment = dayjs(timestamp);
  if (!moment.isValid()) return '–';
  const shown = isPast && moment.isAfter(now) ? dayjs(now) : moment;
  const day = end ? lastDay(timestamp) : null;
  return (
    <>
      <time
        dateTime={timestamp}
        title={end ? formatEnd(timestamp) : formatDateTime(timestamp)}
        className={classes.relative}
      >
        {day ? inDays(toIsoDate(day), today) : shown.from(now)}
      </time>{' '}
      <MinorText>{end ? formatEnd(timestamp) : formatDate(timestamp)}</MinorText>
    </>
  );
}
