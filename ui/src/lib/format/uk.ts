/** The styles of registrations. Each group is one part, and a space separates the parts. */
const STYLES = [
  /^([A-Z]{2}\d{2})([A-Z]{3})$/,
  /^([A-Z]\d{1,3})([A-Z]{3})$/,
  /^([A-Z]{3})(\d{1,3}[A-Z])$/,
  /^(\d{3})([DX])(\d{3})$/,
  /^([A-Z]{1,3})(\d{1,4})$/,
  /^(\d{1,4})([A-Z]{1,3})$/,
] as const;

/** The separators between the parts of a plate. */
const PLATE_MARKS = /[\s-]/g;

const POSTCODE = /^([A-Z]{1,2}\d[A-Z\d]?|GIR)(\d[A-Z]{2})$/;

function spaced(text: string, marks: RegExp, styles: readonly RegExp[]): string {
  const plain = text.replace(marks, '').toLocaleUpperCase('en-GB');
  for (const style of styles) {
    const parts = style.exec(plain)?.slice(1);
    if (parts) return parts.join(' ');
  }
  return text;
}

/** Returns a registration as on its plate, such as "AB12 CDE". Any other text stays. */
export function formatRegistration(text: string): string {
  return spaced(text, PLATE_MARKS, STYLES);
}

/**
 * Checks whether a text has a style of registrations. Only a look-up knows whether the registration
 * exists.
 */
export function isRegistration(text: string): boolean {
  const plain = text.replace(PLATE_MARKS, '').toLocaleUpperCase('en-GB');
  return STYLES.some((style) => style.test(plain));
}

/** Returns a postcode in capitals with its one space. Any other text stays. */
export function formatPostcode(text: string): string {
  return spaced(text, /\s/g, [POSTCODE]);
}

/**
 * Checks whether a text has the form of a postcode. Only a look-up knows whether the postcode is in
 * use.
 */
export function isPostcode(text: string): boolean {
  return POSTCODE.test(text.replace(/\s/g, '').toLocaleUpperCase('en-GB'));
}
