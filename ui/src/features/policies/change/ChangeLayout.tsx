import { Group, type GroupProps } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './ChangeLayout.module.css';

/** Places a text and a button side by side. */
export function ChangeStrip({ children }: { children: ReactNode }) {
  return <div className={`strip ${classes.strip}`}>{children}</div>;
}

/** Places buttons side by side, or one below another on a phone. */
export function ChangeButtons(props: GroupProps) {
  return <Group gap="sm" {...props} className={classes.buttons} />;
}
