import { Container, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './AuthLayout.module.css';
import { RoadPicture } from './RoadPicture';

interface Props {
  title: string;
  /** The id of the title. A card may use the title as its name. */
  id: string;
  /** The content below the title, on the dark background. */
  intro: ReactNode;
  /** The card beside the intro. Without a card, the picture is in this place. */
  children?: ReactNode;
}

/**
 * Lays out the login pages: the texts on a dark background with a picture of a road, and the card.
 */
export function AuthLayout({ title, id, intro, children }: Props) {
  return (
    <Container size={1140}>
      <div className={`band ${classes.layout}`} data-card={children ? true : undefined}>
        <div className={`bandWords ${classes.intro}`}>
          <Title order={1} id={id} className={`headline ${classes.title}`}>
            {title}
          </Title>
          {intro}
        </div>
        <RoadPicture />
        {children && <div className={classes.card}>{children}</div>}
      </div>
    </Container>
  );
}
