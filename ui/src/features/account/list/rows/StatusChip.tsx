import { Text } from '@mantine/core';
import { STATUS } from '../../../../api/types';
import { todayInLondon } from '../../../../lib/dates/dates';
import { useNow } from '../../../../lib/dates/now';
import { formatStart } from '../../../../shared/cover/startText';
import classes from './StatusChip.module.css';

const TONES: Readonly<Record<number, string>> = {
  1: 'green',
  2: 'amber',
  7: 'light-amber',
  14: 'light-amber',
  30: 'light-green',
  31: 'pink',
};

interface Props {
  id: number;
  title: string;
  /** The first moment of cover, or null if there is none. */
  begins: string | null;
}

/**
 * Shows the status. Live cover that has not begun has a different colour and shows when it begins.
 */
export function StatusChip({ id, title, begins }: Props) {
  const now = useNow();
  const live = id === STATUS.live;
  const hasBegun = live && begins !== null && Date.parse(begins) <= now;
  const tone = hasBegun ? 'live' : 'coming';
  return (
    <span style={{ display: 'inline-block' }}>
      <span className={classes.chip} data-tone={live ? tone : TONES[id]}>
        {title}
      </span>{' '}
      {live && !hasBegun && begins && (
        <Text span display="block" size="xs" c="dimmed" className="tabular">
          {formatStart(begins, todayInLondon(new Date(now)))}
        </Text>
      )}
    </span>
  );
}
