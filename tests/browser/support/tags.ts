import type { BrowserContext, Page } from '@playwright/test';

const TAGS = 'https://tags.example';

/** Returns the page with a tag manager in its settings. */
function withTags(page: string): string {
  return page.replace(/(id="beginning">)([^<]*)/, (_, before: string, text: string) => {
    const embedded = JSON.parse(text) as { answers: { '/api/v1/site': object } };
    const tag_manager = { id: 'GTM-1', src: `${TAGS}/gtm.js` };
    Object.assign(embedded.answers['/api/v1/site'], { production: true, tag_manager });
    return before + JSON.stringify(embedded).replaceAll('<', '\\u003c');
  });
}

/**
 * Makes a sandbox shop act as a real shop with a tag manager, after the visitor's consent. Changes
 * the settings in each page, and the content policy of all pages except payment pages.
 */
export async function runTags(context: BrowserContext): Promise<string[]> {
  const ran: string[] = [];
  await context.route(`${TAGS}/**`, (route) => {
    ran.push(new URL(route.request().frame().url()).pathname);
    return route.fulfill({ contentType: 'text/javascript', body: '' });
  });
  await context.route(/\/(quote|policy|payment)\//, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const policy = response.headers()['content-security-policy'] ?? '';
    const pays = new URL(route.request().url()).pathname.startsWith('/payment/');
    const open = policy.replace("script-src 'self'", `script-src 'self' ${TAGS}`);
    return route.fulfill({
      response,
      body: withTags(await response.text()),
      headers: { ...response.headers(), 'content-security-policy': pays ? policy : open },
    });
  });
  return ran;
}

/** Records the requests to other hosts on payment pages. */
export function noteForeign(page: Page, shop: string): string[] {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const frame = request.frame();
    if (request.isNavigationRequest() || !frame.url().startsWith(`${shop}/payment`)) return;
    if (!request.url().startsWith(`${shop}/`)) foreign.push(request.url());
  });
  return foreign;
}
