/** What a visitor did in the form of the first HTML, before the script ran. */
interface PrerenderedForm {
  plate: string;
  isPressed: boolean;
  hasFocus: boolean;
}

/** Reads the form of `src/api/website/landing_page/words.rs`. Returns null if it is not on the page. */
export function readPrerenderedForm(): PrerenderedForm | null {
  const input = document.getElementById('prerender-plate');
  if (!(input instanceof HTMLInputElement)) return null;
  // An older browser has no popovers, and throws on their selector.
  const press = ':popover-open';
  const isKnown = typeof CSS !== 'undefined' && CSS.supports(`selector(${press})`);
  return {
    plate: input.value.toLocaleUpperCase('en-GB'),
    isPressed: isKnown && document.querySelector(`#prerender-press${press}`) !== null,
    hasFocus: document.activeElement === input,
  };
}
