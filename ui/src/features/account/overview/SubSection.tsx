import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './SubSection.module.css';

/** A part of a card that opens within it; its heading is its accessible name. */
export function SubSection({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section className={classes.part} aria-labelledby={heading}>
      <Title order={3} size="md" id={heading} mb="sm">
        {title}
      </Title>
      {children}
    </section>
  );
}
