/**
 * The product the front page sells, which has the address /breakdown/{cover?} of its own (part 2 of
 * the specification). This is the one place that names a product; all else is the product's data.
 */
export const FRONT_PRODUCT = 'breakdown';

/** Where a quote for a product begins. */
export function startPage(product: string): string {
  return product === FRONT_PRODUCT ? '/' : `/cover/${encodeURIComponent(product)}`;
}

const IDENTIFIER = /^[a-z][a-z0-9_-]{0,63}$/;

/** Whether a word of an address can name a product at all: no question to the server otherwise. */
export function isProductName(word: string): boolean {
  return IDENTIFIER.test(word);
}
