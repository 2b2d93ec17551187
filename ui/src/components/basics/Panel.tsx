import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './Panel.module.css';

interface Props {
  title?: string;
  /** The level of the title: 1 where the card is the only one of its page. */
  level?: 1 | 2;
  /** The id of a heading elsewhere that names the card, which then has no title of its own. */
  named?: string;
  /** A control beside the title. */
  action?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** One card of a page; its heading is its accessible name. */
export function Panel({ title, level = 2, named, action, className, children }: Props) {
  const heading = useId();
  return (
    <section
      className={className ? `${classes.panel} ${className}` : classes.panel}
      aria-labelledby={title ? heading : named}
    >
      {title && (
        <div className={classes.head}>
          {level === 1 ? (
            <Title order={1} id={heading}>
              {title}
            </Title>
          ) : (
            <h2 id={heading} className={classes.title}>
              {title}
            </h2>
          )}
          {action}
        </div>
      )}
      {children}
    </section>
  );
}
