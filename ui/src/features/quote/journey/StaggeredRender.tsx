import { Fragment, type ReactNode, startTransition, useEffect, useState } from 'react';
import { onIdle } from '../../../lib/timing/onIdle';
import classes from './Journey.module.css';

interface Props {
  sections: ReactNode[];
  /** Whether all parts are shown at once. Once true, the value stays true. */
  isImmediate: boolean;
}

/**
 * Renders one part after another, each after the paint of the part before. Rendered together, the
 * parts would block a phone. The content after them stays below the screen.
 */
export function StaggeredRender({ sections, isImmediate }: Props) {
  const [count, setCount] = useState(isImmediate ? sections.length : 1);
  if (isImmediate && count < sections.length) setCount(sections.length);
  const all = count >= sections.length;

  useEffect(() => {
    if (all) return;
    return onIdle(() => startTransition(() => setCount(count + 1)));
  }, [all, count]);

  return (
    <>
      {sections.slice(0, count).map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part's place is what it is
        <Fragment key={place}>{part}</Fragment>
      ))}
      {!all && <div className={classes.placeholder} data-placeholder />}
    </>
  );
}

/** Renders its children after the paint of the part, and before the next part. */
export function RenderAfterPaint({
  children,
  isImmediate,
}: {
  children: ReactNode;
  isImmediate: boolean;
}) {
  const [drawn, setDrawn] = useState(isImmediate);
  useEffect(() => {
    if (drawn) return;
    return onIdle(() => startTransition(() => setDrawn(true)));
  }, [drawn]);
  return drawn || isImmediate ? children : null;
}
