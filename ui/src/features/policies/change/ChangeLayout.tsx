import { Group, type GroupProps } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './ChangeLayout.module.css';

/** Places a text with a button beside it. */
export function ChangeStrip({ children }: { children: ReactNode }) {
  return <div className={`strip ${classes.strip}`}>{children}</div>;
}

/** Places buttons side by side, on a phone one below another. */
export function ChangeButtons(props: GroupProps) {
  return <Group gap="sm" {...props} className={classes.buttons} />;
}
