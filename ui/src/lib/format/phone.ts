/**
 * Returns a number that starts with +44 in its national form, with a leading 0 and spaces. Other
 * numbers stay.
 */
export function formatPhone(number: string): string {
  const national = /^\+44(\d{9,10})$/.exec(number)?.[1];
  if (!national) return number;
  if (/^2/.test(national))
    return `0${national.slice(0, 2)} ${national.slice(2, 6)} ${national.slice(6)}`;
  if (/^(3|8|9|11|1.1)/.test(national)) {
    return `0${national.slice(0, 3)} ${national.slice(3, 6)} ${national.slice(6)}`;
  }
  return `0${national.slice(0, 4)} ${national.slice(4)}`;
}

export function telHref(number: string): string {
  return `tel:${number.replace(/[^+\d]/g, '')}`;
}

/** The error of a wrong telephone number. The server has the same text. */
export const PHONE_FAULT = 'Enter a telephone number with all its digits, such as 07400 123456';

/**
 * Checks whether a text may be a telephone number. The server decides: it knows the assigned ranges
 * and foreign numbers.
 */
export function isPhoneNumber(text: string): boolean {
  const digits = text.replace('(0)', '').replace(/[\s().\-/]/g, '');
  if (!/^\+?\d+$/.test(digits)) return false;
  const abroad = /^(\+|00)(?!44)/.test(digits);
  if (abroad) return true;
  const national = digits.replace(/^(\+|00)44/, '').replace(/^0/, '');
  // Some area and freephone numbers have nine digits after the 0. A mobile number always has ten.
  return /^7/.test(national) ? /^\d{10}$/.test(national) : /^[1-9]\d{8,9}$/.test(national);
}
