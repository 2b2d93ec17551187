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

export function StatusChip({ id, title }: { id: number; title: string }) {
  return (
    <span className={classes.chip} data-tone={TONES[id]}>
      {title}
    </span>
  );
}
