import { Container, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './AuthLayout.module.css';
import { RoadPicture } from './RoadPicture';

interface Props {
  title: string;
  /** The id of the title, by which a card is named. */
  id: string;
  /** What stands below the title, on the dark ground. */
  intro: ReactNode;
  /** The card beside it. Without one its place is the picture's. */
  children?: ReactNode;
}

/** The way into the account: words on the night road of the brand, and the card to fill in. */
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
