import {
  addDays,
  compareDates,
  formatBeginning,
  formatTime,
  type PlainDate,
  todayInLondon,
} from '../../lib/dates/dates';

/**
 * Formats a moment as "Starts tomorrow, 21:19", with "today", "tomorrow" or the day. Leaves out the
 * time if it is midnight in London.
 */
export function formatStart(timestamp: string, today: PlainDate = todayInLondon()): string {
  const day = todayInLondon(new Date(timestamp));
  const isOn = (other: PlainDate) => compareDates(day, other) === 0;
  const near = isOn(today) ? 'today' : isOn(addDays(today, 1)) ? 'tomorrow' : null;
  const time = formatTime(timestamp);
  if (!near) return `Starts ${formatBeginning(timestamp)}`;
  return time === '00:00' ? `Starts ${near}` : `Starts ${near}, ${time}`;
}
