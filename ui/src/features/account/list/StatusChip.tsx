import { STATUS } from '../../../api/types';
import { formatDayInWords } from '../../../lib/dates';
import { useToday } from '../../../lib/now';
import classes from './StatusChip.module.css';

const TONES: Readonly<Record<number, string>> = {
  1: 'green',
  2: 'amber',
  5: 'live',
  7: 'light-amber',
  14: 'light-amber',
  30: 'light-green',
  31: 'pink',
};

interface Props {
  id: number;
  title: string;
  /** The first day of cover. */
  from?: string | null;
}

/** The status; of live cover that is still to come, also from when on. */
export function StatusChip({ id, title, from }: Props) {
  const today = useToday();
  const coming = id === STATUS.live && from && from > today;
  return (
    <span className={classes.status}>
      <span className={classes.chip} data-tone={coming ? 'coming' : TONES[id]}>
        {title}
      </span>{' '}
      {coming && <span className={classes.begins}>begins {formatDayInWords(from)}</span>}
    </span>
  );
}
