import { paths } from './paths';
/**
 * Accepts only a path of this site. A browser reads `//host` and `/\host` as another site, and
 * drops control characters inside an address before it reads the rest.
 */
export function ownPath(value: string | null | undefined): string | null {
  if (!value?.startsWith('/')) return null;
  if (value.startsWith('//') || value.includes('\\')) return null;
  return [...value].some((letter) => letter < ' ') ? null : value;
}

/** The address of the login page; the parameter `state` is the page to return to. */
export function signOnAddress(signOn: string, current: string): string {
  const state = ownPath(current) ?? paths.home();
  const joint = signOn.includes('?') ? '&' : '?';
  return `${signOn}${joint}state=${encodeURIComponent(state)}`;
}
