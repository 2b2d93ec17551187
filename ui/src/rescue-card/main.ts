import '@fontsource-variable/inter/index.css';
import './card.css';
import {
  CARD_PAGE,
  CARD_WORKER,
  dropCard,
  fetchCard,
  removeCard,
  SITE_WORKER,
  type StoredCard,
  storeDocuments,
  storedCard,
  storedDocuments,
  updateCard,
} from '../api/policies/rescueCard';
import { coverStatusAt } from './coverStatus';
import { type CardView, showCard, showNone } from './renderCard';

/** The event that a browser sends if the page can be installed. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

interface Site {
  data?: { assistance_phone?: string };
}

const root = document.getElementById('card') as HTMLElement;
const view: CardView = {
  stored: null,
  offline: false,
  saved: new Set(),
  offer: null,
  isRevoked: false,
};
/** The number to call if the device has no card. */
let number: string | null = null;

let shown = '';

/** Renders the card again if anything has changed. */
function show(): void {
  const { stored, saved, offer } = view;
  const state = stored && coverStatusAt(stored.card, Date.now())?.state;
  const now = JSON.stringify([
    { ...view, saved: [...saved], offer: offer !== null },
    state,
    number,
  ]);
  if (now === shown) return;
  shown = now;
  if (!stored) showNone(root, number);
  else showCard(root, { ...view, stored: stored }, actions);
}

const actions = {
  async remove() {
    // Running reads would fail after the key is revoked.
    removing = true;
    clearTimeout(retryTimer);
    reading?.abort();
    await removeCard();
    removing = false;
    view.stored = null;
    show();
    await readNumber();
    root.querySelector<HTMLElement>('h1')?.focus();
  },
  async install() {
    await (view.offer as InstallOffer | null)?.prompt();
    view.offer = null;
    show();
  },
};

/**
 * The first and the longest pause before pending documents are read again, in milliseconds. The
 * pause doubles each time. The reads end when the pause would be longer than the longest.
 */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;
let retryTimer: ReturnType<typeof setTimeout> | undefined;
let reading: AbortController | undefined;
let removing = false;

/** Reads the card from the server again, and stores the card and its documents. */
async function refresh({ key }: StoredCard, wait = FIRST_WAIT_MS): Promise<void> {
  if (removing) return;
  clearTimeout(retryTimer);
  reading?.abort();
  const now = new AbortController();
  reading = now;
  let card: Awaited<ReturnType<typeof fetchCard>>;
  try {
    card = await fetchCard(key, now.signal);
  } catch {
    if (now.signal.aborted) return;
    view.offline = true;
    return show();
  }
  if (now.signal.aborted) return;
  // Another tab has removed or replaced the card.
  if ((await storedCard())?.key !== key) return begin();
  view.offline = false;
  if (!card) {
    // The key is no longer valid, so nothing stays on the device.
    await dropCard();
    view.isRevoked = true;
    return show();
  }
  const stored = { key, card };
  if (!(await updateCard(stored))) return removing ? undefined : begin();
  view.stored = stored;
  show();
  await storeDocuments(stored, now.signal).catch(() => undefined);
  if (now.signal.aborted) return;
  view.saved = await storedDocuments(card);
  show();
  const documents = card.policies.flatMap((policy) => policy.documents);
  const isComplete = documents.every(({ identifier }) => view.saved.has(identifier));
  if (isComplete || wait > LONGEST_WAIT_MS) return;
  retryTimer = setTimeout(() => {
    if (view.stored?.key === key && !view.isRevoked) void refresh(view.stored, wait * 2);
  }, wait);
}

/** Reads the number to call, for a device without a card. */
async function readNumber(): Promise<void> {
  const site = await fetch('/api/v1/site')
    .then((answer) => answer.json())
    .catch(() => null);
  number = (site as Site | null)?.data?.assistance_phone ?? null;
  show();
}

async function begin(): Promise<void> {
  view.stored = await storedCard();
  view.isRevoked = false;
  if (view.stored) view.saved = await storedDocuments(view.stored.card);
  show();
  if (!view.stored) return readNumber();
  // Without a stored card no worker is registered.
  await navigator.serviceWorker.register(CARD_WORKER, { scope: CARD_PAGE }).catch(() => undefined);
  await navigator.serviceWorker.register(SITE_WORKER).catch(() => undefined);
  // If the card was removed meanwhile, its worker is removed too.
  const stored = await storedCard();
  if (stored) await refresh(stored);
  else await dropCard();
}

function refreshStored(): void {
  if (view.stored && !view.isRevoked) void refresh(view.stored);
}

window.addEventListener('online', refreshStored);
window.addEventListener('offline', () => {
  view.offline = true;
  show();
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && !view.isRevoked) void begin();
});
window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  view.offer = event;
  show();
});
// Cover may start or end while the card is on the screen.
setInterval(() => {
  if (view.stored && !view.isRevoked) show();
}, 60_000);

void begin();
