// The worker of the website. If a page can't be loaded without a network, it opens the rescue card of the
// device, or shows the number to call. It answers no other request, and stores nothing of a customer.

const CARD_PAGE = '/rescue-card';
/** The cache of the rescue card (src/api/policies/rescueCard.ts). */
const CARD_CACHE = 'layby-rescue-card';
const OFFLINE_CACHE = 'layby-offline';
const OFFLINE_PAGE = '/offline';
/** The age from which the stored number is read again, in milliseconds. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** Addresses that are not pages of the website, or have a worker of their own. */
const OTHER = /^\/(api|gateway|health|metrics|rescue-card)(\/|$)/;

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
};

const STYLE = `
body{margin:0;background:#f6f8fa;color:#12263f;font:17px/1.55 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.75rem;line-height:1.2}
a{color:#0b5cad}
.call{display:block;padding:1rem;border-radius:12px;background:#ffb000;color:#12263f;font-weight:700;text-align:center;text-decoration:none}
.call span{display:block;font-size:1.75rem}
.again{display:inline-block;padding:.625rem 0}
:focus-visible{outline:3px solid #0b5cad;outline-offset:2px}`;

const escapeHtml = (text) =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function offlinePage(number) {
  const call = number
    ? `<a class="call" href="tel:${escapeHtml(number.replace(/[^+\d]/g, ''))}">Broken down? Call us <span>${escapeHtml(number)}</span></a>`
    : '';
  return `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>No network</title><style>${STYLE}</style></head>
<body><main><h1>There is no network here</h1>
<p>This page can't be loaded just now. A call needs no internet.</p>
${call}
<p><a class="again" href="">Try again</a></p></main></body></html>`;
}

/** Stores the page with the number to call, unless the stored page is new enough. */
async function refresh() {
  const cache = await caches.open(OFFLINE_CACHE);
  const stored = await cache.match(OFFLINE_PAGE);
  if (stored && Date.now() - Number(stored.headers.get('X-Stored')) < MAX_AGE_MS) return;
  const answer = await fetch('/api/v1/site', { cache: 'no-cache' });
  if (!answer.ok) throw new Error(`The settings could not be read: ${answer.status}`);
  const { data } = await answer.json();
  const page = offlinePage(data.assistance_phone ?? data.phone);
  const headers = { ...HEADERS, 'X-Stored': String(Date.now()) };
  await cache.put(OFFLINE_PAGE, new Response(page, { headers }));
}

async function openPage(event) {
  try {
    const page = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(refresh().catch(() => undefined));
    return page;
  } catch {
    if (await caches.has(CARD_CACHE)) return Response.redirect(new URL(CARD_PAGE, self.location.origin));
    const cache = await caches.open(OFFLINE_CACHE);
    return (await cache.match(OFFLINE_PAGE)) ?? Response.error();
  }
}

self.addEventListener('install', (event) => {
  event.waitUntil(refresh().then(() => self.skipWaiting()));
});

// The page is loaded while the worker starts.
self.addEventListener('activate', (event) => {
  event.waitUntil(self.registration.navigationPreload?.enable());
});

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || mode !== 'navigate') return;
  if (origin !== self.location.origin || OTHER.test(pathname)) return;
  event.respondWith(openPage(event));
});
