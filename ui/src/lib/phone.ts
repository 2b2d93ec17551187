/**
 * A British number in its national form, with a leading 0; other numbers stay as they are stored.
 */
export function dialled(number: string): string {
  const national = /^\+44(\d{9,10})$/.exec(number)?.[1];
  if (!national) return number;
  if (/^2/.test(national))
    return `0${national.slice(0, 2)} ${national.slice(2, 6)} ${national.slice(6)}`;
  if (/^(3|8|9|11|1.1)/.test(national)) {
    return `0${national.slice(0, 3)} ${national.slice(3, 6)} ${national.slice(6)}`;
  }
  return `0${national.slice(0, 4)} ${national.slice(4)}`;
}

/** The number as a `tel:` link takes it. */
export function telephone(number: string): string {
  return `tel:${number.replace(/[^+\d]/g, '')}`;
}
