import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './SubSection.module.css';

/** Shows a part that opens within a card. Its heading is its accessible name. */
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
