import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { ChevronIcon } from '../icons/icons';
import classes from './Fold.module.css';

/** Where there is no room for everything at once. */
const PHONE = '(max-width: 36em)';

interface Props {
  id?: string;
  title: string;
  /** What stands below the title while it is folded, too; `true` says that it is. */
  note?: (folds: boolean) => ReactNode;
  /** Whether it is open at first. */
  open?: boolean;
  children: (folds: boolean) => ReactNode;
}

/** A titled part of a list. On a phone it shows its title, and opens by a press. */
export function Fold({ id, title, note, open, children }: Props) {
  const folds = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  // From then on it is the reader who opens and closes it.
  const [atFirst] = useState(open === true);
  const heading = (
    <h3 id={id} className={classes.title}>
      {title}
    </h3>
  );
  if (!folds) {
    return (
      <>
        {heading}
        {note?.(false)}
        {children(false)}
      </>
    );
  }
  return (
    <details className={classes.fold} open={atFirst}>
      <summary>
        <span>
          {heading}
          {note?.(true)}
        </span>
        <ChevronIcon size={18} />
      </summary>
      <div className={classes.body}>{children(true)}</div>
    </details>
  );
}
