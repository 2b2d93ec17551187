import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Journey.module.css';

/** One calm line above the cards, with what may be done about it. */
export function Strip({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={classes.notice}>
      <p>{text}</p>
      {children && <Group gap="xs">{children}</Group>}
    </div>
  );
}
