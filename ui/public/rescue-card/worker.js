// The worker of the rescue card. It opens the card's page and its documents without a network. It serves
// /rescue-card alone, and stores nothing unless the device has a card (src/api/policies/rescueCard.ts).

const PAGE = '/rescue-card';
/** The cache of the card and its documents. The pages fill it. */
const KEPT = 'layby-rescue-card';
/** The cache of the page and its files. */
const FILES = 'layby-rescue-card-page';

/** The files that a page or a style sheet names. Of the font, the part with our letters is enough. */
function named(text) {
  const files = text.match(/\/(?:assets|rescue-card)\/[^\s"'()<>]+/g) ?? [];
  const foreign = /-(?:cyrillic|greek|vietnamese|latin-ext)/;
  return [...new Set(files)].filter((file) => !foreign.test(file));
}

/** Keeps the page as it is now, once all of its files are there. */
async function refresh() {
  if (!(await caches.has(KEPT))) return;
  const page = await fetch(PAGE, { cache: 'no-cache' });
  if (!page.ok) return;
  const files = await caches.open(FILES);
  const wanted = new Set([PAGE]);
  const take = async (file) => {
    if (wanted.has(file)) return;
    wanted.add(file);
    let answer = file.startsWith('/assets/') ? await files.match(file) : undefined;
    if (!answer) {
      answer = await fetch(file, { cache: 'no-cache' });
      if (!answer.ok) throw new Error(`${file} is not there`);
      await files.put(file, answer.clone());
    }
    if (file.endsWith('.css')) await Promise.all(named(await answer.text()).map(take));
  };
  await Promise.all(named(await page.clone().text()).map(take));
  await files.put(PAGE, page);
  for (const { url } of await files.keys()) {
    const { pathname } = new URL(url);
    if (!wanted.has(pathname)) await files.delete(pathname);
  }
  // The card may have been removed meanwhile.
  if (!(await caches.has(KEPT))) await caches.delete(FILES);
}

async function opened(request, pathname) {
  const kept = await caches.match(request.mode === 'navigate' && pathname === PAGE ? PAGE : pathname);
  return kept ?? fetch(request);
}

self.addEventListener('install', (event) => {
  event.waitUntil(refresh().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  const own = pathname === PAGE || /^\/(assets|rescue-card)\//.test(pathname);
  if (method !== 'GET' || origin !== self.location.origin || !own) return;
  event.respondWith(opened(event.request, pathname));
  if (pathname === PAGE) event.waitUntil(refresh().catch(() => undefined));
});
