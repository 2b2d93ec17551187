/** What a visitor did in the form of the first HTML, before this page replaced it. */
interface PrerenderedForm {
  plate: string;
  isPressed: boolean;
  hasFocus: boolean;
}

const PRESSED = ':popover-open';

/**
 * Watches the form of `src/api/website/landing_page/words.rs`, because a visitor may use it until the
 * page is shown. Returns a function that reads it, also after its elements have left the document.
 */
export function watchPrerenderedForm(): () => PrerenderedForm | null {
  const input = document.getElementById('prerender-plate');
  if (!(input instanceof HTMLInputElement)) return () => null;
  // An older browser has no popovers, and throws on their selector.
  const isKnown = typeof CSS !== 'undefined' && CSS.supports(`selector(${PRESSED})`);
  let isPressed = isKnown && document.querySelector(`#prerender-press${PRESSED}`) !== null;
  let hasFocus = document.activeElement === input;
  input.addEventListener('focus', () => {
    hasFocus = true;
  });
  input.form?.querySelector('button')?.addEventListener('click', () => {
    isPressed = true;
  });
  // Enter submits nothing by itself, because the button is not of the type `submit`.
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') isPressed = true;
  });
  return () => ({ plate: input.value.toLocaleUpperCase('en-GB'), isPressed, hasFocus });
}
