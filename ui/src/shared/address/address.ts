import { formatPostcode } from '../../lib/format/uk';

/** The names of the fields of a customer's address, in products and in the profile. */
export const ADDRESS_FIELDS = ['address_primary', 'postcode_primary'] as const;

type AddressSource = { [K in (typeof ADDRESS_FIELDS)[number]]?: unknown };

/** Returns an address as one line, or an empty text. */
export function addressText({ address_primary: lines, postcode_primary: code }: AddressSource) {
  const texts = [lines, typeof code === 'string' && formatPostcode(code)];
  return texts
    .flatMap((text) => (typeof text === 'string' ? text.split('\n') : []))
    .flatMap((line) => line.trim() || [])
    .join(', ');
}

/** Checks whether two addresses have the same letters and digits. */
export function isSameAddress(a: AddressSource, b: AddressSource): boolean {
  const plain = (source: AddressSource) =>
    addressText(source)
      .toLocaleUpperCase('en-GB')
      .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return plain(a) === plain(b);
}
