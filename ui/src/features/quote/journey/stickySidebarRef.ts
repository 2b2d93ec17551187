const EDGE = 24;

/**
 * Positions a sticky column, as the column's ref. A column that fits the window stays at its top. A
 * taller column scrolls to its end and stays there.
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
