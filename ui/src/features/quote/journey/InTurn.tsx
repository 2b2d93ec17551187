import { Fragment, type ReactNode, startTransition, useEffect, useState } from 'react';
import { whenDrawn } from '../../../lib/whenDrawn';
import classes from './Journey.module.css';

interface Props {
  parts: ReactNode[];
  /** Whether all parts are shown now. Once they are, they stay. */
  atOnce: boolean;
}

/**
 * Shows one part below another, each once the one above is drawn. All at once they hold up a phone for as long as
 * it takes to lay them out, and what the visitor does meanwhile. What follows them stays below the screen.
 */
export function InTurn({ parts, atOnce }: Props) {
  const [count, setCount] = useState(atOnce ? parts.length : 1);
  if (atOnce && count < parts.length) setCount(parts.length);
  const all = count >= parts.length;

  useEffect(() => {
    if (all) return;
    return whenDrawn(() => startTransition(() => setCount(count + 1)));
  }, [all, count]);

  return (
    <>
      {parts.slice(0, count).map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part's place is what it is
        <Fragment key={place}>{part}</Fragment>
      ))}
      {!all && <div className={classes.coming} data-coming />}
    </>
  );
}

/** Shows the end of a part once the part is drawn, and before the next part comes. */
export function Afterwards({ children, atOnce }: { children: ReactNode; atOnce: boolean }) {
  const [drawn, setDrawn] = useState(atOnce);
  useEffect(() => {
    if (drawn) return;
    return whenDrawn(() => startTransition(() => setDrawn(true)));
  }, [drawn]);
  return drawn || atOnce ? children : null;
}
