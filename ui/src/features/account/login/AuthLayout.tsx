import { Container, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './AuthLayout.module.css';
import { RoadPicture } from './RoadPicture';

interface Props {
  title: string;
  /** The id of the title, which names the card. */
  id: string;
  /** The content below the title, on the dark ground. */
  intro: ReactNode;
  /** The card beside the intro. Without a card the picture takes its place. */
  children?: ReactNode;
}

/** Lays out the login pages: the texts on a dark ground with a night road, and the card. */
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
