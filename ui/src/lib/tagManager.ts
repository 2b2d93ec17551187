import { isOwnDocument } from './navigation/ownDocument';
import type { Consent } from './storage/cookies';

export interface TagManagerSettings {
  tag_manager: { id: string; src: string } | null;
  production: boolean;
}

const ELEMENT = 'layby-tag-manager';

export function tagManagerRuns(): boolean {
  return document.getElementById(ELEMENT) !== null;
}

/**
 * Loads the shop's tag manager once, in production, with the visitor's consent. Does nothing on
 * pages with a content policy of their own, or if the shop has no tag manager.
 */
export function startTagManager(settings: TagManagerSettings, consent: Consent | null): void {
  const manager = settings.tag_manager;
  if (!settings.production || !manager || consent !== 'accepted' || tagManagerRuns()) return;
  if (isOwnDocument()) return;
  const shared = window as { dataLayer?: unknown[] };
  shared.dataLayer = shared.dataLayer ?? [];
  shared.dataLayer.push({ 'gtm.start': Date.now(), event: 'gtm.js' });
  const script = document.createElement('script');
  script.id = ELEMENT;
  script.async = true;
  const address = new URL(manager.src, window.location.href);
  address.searchParams.set('id', manager.id);
  script.src = address.href;
  document.head.append(script);
}
