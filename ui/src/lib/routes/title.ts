import { useEffect } from 'react';
import { createSignal } from '../signal';
import { useSignal } from '../useSignal';

/** The shop's name, once the site's settings are known. */
export const brandName = createSignal('');

/** The number of components with an error. */
const faults = createSignal(0);

/**
 * Starts the page's title with "Error:" while `wrong` is true, so that screen readers read the word
 * first.
 */
export function useFaultInTitle(wrong: boolean): void {
  useEffect(() => {
    if (!wrong) return;
    faults.set(faults.get() + 1);
    return () => faults.set(faults.get() - 1);
  }, [wrong]);
}

export function useDocumentTitle(title: string): void {
  const brand = useSignal(brandName);
  const wrong = useSignal(faults) > 0;
  useEffect(() => {
    const named = brand ? `${title} | ${brand}` : title;
    document.title = wrong ? `Error: ${named}` : named;
  }, [title, brand, wrong]);
}
