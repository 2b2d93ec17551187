/**
 * The product of the front page, whose address is /breakdown/{cover?} (part 2 of the
 * specification). This is the only place in the website's code that names a product.
 */
export const FRONT_PRODUCT = 'breakdown';

const IDENTIFIER = /^[a-z][a-z0-9_-]{0,63}$/;

/** Whether a word of an address can be a product's name. If not, the server isn't asked for it. */
export function isProductName(word: string): boolean {
  return IDENTIFIER.test(word);
}
