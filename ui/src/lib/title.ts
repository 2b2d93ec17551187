import { useEffect } from 'react';
import { createSignal, useSignal } from './signal';

/** The shop's name, once the site's settings are known. */
export const brandName = createSignal('');

export function useDocumentTitle(title: string): void {
  const brand = useSignal(brandName);
  useEffect(() => {
    document.title = brand ? `${title} | ${brand}` : title;
  }, [title, brand]);
}
