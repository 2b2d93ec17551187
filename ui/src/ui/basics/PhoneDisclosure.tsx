import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { ChevronIcon } from '../icons/icons';
import classes from './PhoneDisclosure.module.css';

/** Where there is no room for everything at once. */
const PHONE = '(max-width: 36em)';

interface Props {
  id?: string;
  title: string;
  /** What stands below the title while it is folded, too; `true` says that it is. */
  note?: (isPhone: boolean) => ReactNode;
  /** Whether it is open at first. */
  open?: boolean;
  children: (isPhone: boolean) => ReactNode;
}

/** A titled part of a list. On a phone it shows its title, and opens by a press. */
export function PhoneDisclosure({ id, title, note, open, children }: Props) {
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  // From then on it is the reader who opens and closes it.
  const [initiallyOpen] = useState(open === true);
  const heading = (
    <h3 id={id} className={classes.title}>
      {title}
    </h3>
  );
  if (!isPhone) {
    return (
      <>
        {heading}
        {note?.(false)}
        {children(false)}
      </>
    );
  }
  return (
    <details className={classes.fold} open={initiallyOpen}>
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
