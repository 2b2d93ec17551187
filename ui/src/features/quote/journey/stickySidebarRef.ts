const EDGE = 24;

/**
 * A ref for a sticky column. A column that fits the window stays at its top. A taller one scrolls
 * to its end and stays there.
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
