import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './SubSection.module.css';

/** Shows a section within a card. The heading is the section's accessible name. */
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
