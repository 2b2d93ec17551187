const EDGE = 24;

/**
 * Sets the sticky position of the column to which this ref belongs. A column that fits the window
 * stays at the window's top. A taller column scrolls until its end is visible.
 */
export function stickySidebarRef(column: HTMLElement | null) {
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
