export type Consent = 'accepted' | 'refused';

const HALF_A_YEAR = 180 * 24 * 60 * 60;

export function readCookie(name: string): string | null {
  for (const part of document.cookie.split('; ')) {
    const [key, ...rest] = part.split('=');
    if (key === name) return decodeURIComponent(rest.join('='));
  }
  return null;
}

function attributes(maxAge: number): string {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  return `; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure}`;
}

export function readConsent(name: string): Consent | null {
  const value = readCookie(name);
  return value === 'accepted' || value === 'refused' ? value : null;
}

export function saveConsent(name: string, consent: Consent): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari
  document.cookie = `${name}=${consent}${attributes(HALF_A_YEAR)}`;
}
