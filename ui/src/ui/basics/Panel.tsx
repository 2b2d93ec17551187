import { Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface Props {
  title?: string;
  /** The heading level of the title. */
  level?: 1 | 2;
  /** The id of another heading that names the card, instead of a title. */
  named?: string;
  /** A control beside the title. Without a title the control is not shown. */
  action?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Shows a card of a page. The title, or the heading `named`, is the card's accessible name. */
export function Panel({ title, level = 2, named, action, className, children }: Props) {
  const heading = useId();
  return (
    <section
      className={className ? `panel ${className}` : 'panel'}
      aria-labelledby={title ? heading : named}
    >
      {title && (
        <Group justify="space-between" gap="0.5rem 1rem" mb="sm">
          <Title order={level} size={level === 2 ? 'h3' : undefined} id={heading}>
            {title}
          </Title>
          {action}
        </Group>
      )}
      {children}
    </section>
  );
}
