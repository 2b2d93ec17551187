const EDGE = 24;

/**
 * A ref that keeps a tall column in reach: one that fits stays at the top, one that doesn't
 * scrolls until its end is seen and stays there.
 */
export function stickyTop(column: HTMLElement | null) {
  if (!column || typeof ResizeObserver === 'undefined') return;
  const place = () => {
    const spare = window.innerHeight - column.offsetHeight - EDGE;
    column.style.top = `${Math.min(EDGE, spare)}px`;
  };
  const observer = new ResizeObserver(place);
  observer.observe(column);
  window.addEventListener('resize', place);
  return () => {
    observer.disconnect();
    window.removeEventListener('resize', place);
  };
}
