/**
 * A path of ours and nothing else: `//host` and `/\host` are other people's addresses to a
 * browser, and control characters inside are dropped by it before it reads the rest.
 */
export function ownPath(value: string | null | undefined): string | null {
  if (!value?.startsWith('/')) return null;
  if (value.startsWith('//') || value.includes('\\')) return null;
  return [...value].some((letter) => letter < ' ') ? null : value;
}

/** Where to log in, with the way back as `state`. */
export function signOnAddress(signOn: string, current: string): string {
  const state = ownPath(current) ?? '/';
  const joint = signOn.includes('?') ? '&' : '?';
  return `${signOn}${joint}state=${encodeURIComponent(state)}`;
}
