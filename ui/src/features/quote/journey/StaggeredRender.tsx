import { Fragment, type ReactNode, startTransition, useEffect, useState } from 'react';
import { onIdle } from '../../../lib/timing/onIdle';
import classes from './Journey.module.css';

interface Props {
  sections: ReactNode[];
  /** Whether to show all parts at once. Parts that are shown stay. */
  isImmediate: boolean;
}

/**
 * Renders one part after another, each when the browser is idle after the part before. All parts
 * together would block a slow phone. A placeholder keeps later content below the screen.
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
        // biome-ignore lint/suspicious/noArrayIndexKey: only its place identifies a part
        <Fragment key={place}>{part}</Fragment>
      ))}
      {!all && <div className={classes.placeholder} data-placeholder />}
    </>
  );
}

/**
 * Renders its children once the browser is idle after the first paint, or at once if `isImmediate`
 * is true.
 */
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
