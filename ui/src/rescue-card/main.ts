import '@fontsource-variable/inter/index.css';
import './card.css';
import {
  CARD_PAGE,
  CARD_WORKER,
  dropCard,
  fetchCard,
  removeCard,
  type StoredCard,
  storeDocuments,
  storedCard,
  storedDocuments,
  updateCard,
} from '../api/policies/rescueCard';
import { standsAt } from './coverStatus';
import { showCard, showNone, type View } from './renderCard';

/** What a browser offers where the page can be put on the home screen. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

interface Site {
  data?: { assistance_phone?: string };
}

const root = document.getElementById('card') as HTMLElement;
const view: View = { kept: null, offline: false, saved: new Set(), offer: null, over: false };
/** Who to call where no card says it. */
let number: string | null = null;

let shown = '';

/** Shows the card anew if there is anything new to show. */
function show(): void {
  const { kept, saved, offer } = view;
  const stands = kept && standsAt(kept.card, Date.now())?.state;
  const now = JSON.stringify([
    { ...view, saved: [...saved], offer: offer !== null },
    stands,
    number,
  ]);
  if (now === shown) return;
  shown = now;
  if (!kept) showNone(root, number);
  else showCard(root, { ...view, kept }, actions);
}

const actions = {
  async remove() {
    // What is under way would be answered with an error once the key has ended.
    removing = true;
    clearTimeout(asksAgain);
    reading?.abort();
    await removeCard();
    removing = false;
    view.kept = null;
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

/** After how long the card asks for documents that are still being made, in ms: every time twice as long. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;
let asksAgain: ReturnType<typeof setTimeout> | undefined;
let reading: AbortController | undefined;
let removing = false;

/** Reads the card again, and keeps it as it stands now. */
async function refresh({ key }: StoredCard, wait = FIRST_WAIT_MS): Promise<void> {
  if (removing) return;
  clearTimeout(asksAgain);
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
  // Removed in another tab meanwhile.
  if ((await storedCard())?.key !== key) return begin();
  view.offline = false;
  if (!card) {
    // Its key is no longer valid: nothing stays on the device.
    await dropCard();
    view.over = true;
    return show();
  }
  const kept = { key, card };
  if (!(await updateCard(kept))) return removing ? undefined : begin();
  view.kept = kept;
  show();
  await storeDocuments(kept).catch(() => undefined);
  view.saved = await storedDocuments(card);
  show();
  const documents = card.policies.flatMap((policy) => policy.documents);
  const whole = documents.every(({ identifier }) => view.saved.has(identifier));
  if (whole || wait > LONGEST_WAIT_MS) return;
  asksAgain = setTimeout(() => {
    if (view.kept?.key === key && !view.over) void refresh(view.kept, wait * 2);
  }, wait);
}

/** Reads who to call, which a device without a card doesn't know. */
async function readNumber(): Promise<void> {
  const site = await fetch('/api/v1/site')
    .then((answer) => answer.json())
    .catch(() => null);
  number = (site as Site | null)?.data?.assistance_phone ?? null;
  show();
}

async function begin(): Promise<void> {
  view.kept = await storedCard();
  view.over = false;
  if (view.kept) view.saved = await storedDocuments(view.kept.card);
  show();
  if (!view.kept) return readNumber();
  // Nothing is registered where nothing is kept.
  await navigator.serviceWorker.register(CARD_WORKER, { scope: CARD_PAGE }).catch(() => undefined);
  // Removed meanwhile, its worker goes too.
  const kept = await storedCard();
  if (kept) await refresh(kept);
  else await dropCard();
}

function again(): void {
  if (view.kept && !view.over) void refresh(view.kept);
}

window.addEventListener('online', again);
window.addEventListener('offline', () => {
  view.offline = true;
  show();
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && !view.over) void begin();
});
window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  view.offer = event;
  show();
});
// Cover begins and ends while the card is looked at.
setInterval(() => {
  if (view.kept && !view.over) show();
}, 60_000);

void begin();
