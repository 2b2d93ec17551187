/**
 * The product of the front page, at /breakdown/{cover?} (part 2 of the specification). Only this
 * file of the website names a product.
 */
export const FRONT_PRODUCT = 'breakdown';

const IDENTIFIER = /^[a-z][a-z0-9_-]{0,63}$/;

/**
 * Checks whether a word of an address can be a product's name. The website asks the server only
 * about such words.
 */
export function isProductName(word: string): boolean {
  return IDENTIFIER.test(word);
}
