import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { ChevronIcon } from '../icons/icons';
import classes from './PhoneDisclosure.module.css';

/** The width of a phone. */
const PHONE = '(max-width: 36em)';

interface Props {
  id?: string;
  title: string;
  /** The content below the title. The function gets `true` while the part is closed. */
  note?: (isPhone: boolean) => ReactNode;
  /** Whether the part is open at first. */
  open?: boolean;
  children: (isPhone: boolean) => ReactNode;
}

/** Shows a titled part of a list. A phone shows only the title; a press opens the rest. */
export function PhoneDisclosure({ id, title, note, open, children }: Props) {
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  // After the first press the reader decides.
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
