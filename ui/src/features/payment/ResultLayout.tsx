import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './ResultLayout.module.css';

/** Shows the result of a payment, centred in a panel. */
export function ResultBody({ role, children }: { role?: 'status'; children: ReactNode }) {
  return (
    <div className={classes.body} role={role}>
      {children}
    </div>
  );
}

/** Shows the buttons below a result. */
export function ResultActions({ children }: { children: ReactNode }) {
  return (
    <Group justify="center" gap="sm" className={`screenOnly ${classes.actions}`}>
      {children}
    </Group>
  );
}

/** Shows the reference of a policy or quote. */
export function Reference({ id }: { id: string }) {
  return <span className={classes.reference}>{id}</span>;
}
