import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { ChevronIcon } from '../icons/icons';
import classes from './PhoneDisclosure.module.css';

/** The media query for a phone. */
const PHONE = '(max-width: 36em)';

interface Props {
  id?: string;
  title: string;
  /** The content below the title. The function gets whether the screen is a phone's. */
  note?: (isPhone: boolean) => ReactNode;
  /** Whether the part is open at first on a phone. */
  open?: boolean;
  children: (isPhone: boolean) => ReactNode;
}

/** Shows a part with a title. On a phone, a closed part shows only the title and the note. */
export function PhoneDisclosure({ id, title, note, open, children }: Props) {
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  // Only the first value of `open` counts. Afterwards the reader opens and closes the part.
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
