import { unstable_serialize } from 'swr';
import { address } from '../api/client';
import { profileKey } from '../api/hooks';
import type {
  PlanOffer,
  PriceFigures,
  Profile,
  QuoteCreated,
  QuoteInfo,
  QuoteRead,
  QuoteUpdated,
  Site,
} from '../api/types';
import { COMPLETE } from './products/product';

/** The quote or policy of the tests. */
export const UUID = '0197f3c2-0000-7000-8000-000000000001';

// Complete responses of the server. A test names only the differences.

export function siteWith(change: Partial<Site> = {}): Site {
  return {
    brand: 'Layby',
    phone: '0330 123 4567',
    email: 'help@example.com',
    hours: '9am to 5pm Monday to Friday',
    assistance_phone: '0800 555 0199',
    links: {
      about_us: 'https://example.com/about',
      motor: 'https://example.com/motor',
      contact: 'https://example.com/contact',
      terms: 'https://example.com/terms',
      privacy: 'https://example.com/privacy',
      cookies: 'https://example.com/cookies',
    },
    footer: [],
    complaints: 'Write to us first.',
    rating_badge: null,
    reviews_frame: null,
    reviews_height: 300,
    tag_manager: null,
    production: false,
    login_redirect: '/dashboard',
    providers: ['sandbox'],
    card_providers: ['sandbox'],
    insurer_grants_monthly: true,
    renews_by_card: true,
    needs_town: false,
    held: false,
    cookie_name: 'layby_cookies',
    titles: [
      { id: 1, title: 'Mr' },
      { id: 4, title: 'Ms' },
    ],
    countries: [{ id: 1, title: 'United Kingdom' }],
    password_rule: {
      min_length: 8,
      max_length: 20,
      uppercase: true,
      lowercase: true,
      digit: true,
      special: true,
      no_whitespace: true,
    },
    ...change,
  };
}

/** Returns the initial cache of SWR: the site, and the profile if given. */
export function initialCache(
  site: Partial<Site> = {},
  profile?: Profile | null,
): Record<string, unknown> {
  return {
    [address('/api/v1/site')]: siteWith(site),
    ...(profile === undefined ? {} : { [unstable_serialize(profileKey(null))]: profile }),
  };
}

/** Returns a profile. Every member is null unless given. */
export function profileOf(values: Partial<Profile> = {}): Profile {
  return {
    user_id: null,
    user_uuid: null,
    user_username: null,
    title_id: null,
    first_name: null,
    middle_name: null,
    last_name: null,
    email_primary: null,
    address_primary: null,
    postcode_primary: null,
    tel_primary: null,
    gsm_primary: null,
    fax_primary: null,
    country_id: null,
    marketing_contact: null,
    email_pending: null,
    ...values,
  };
}

export const FIGURES: PriceFigures = {
  amount_taxed: 48.16,
  amount_net: 43,
  amount_tax: 5.16,
  amount_total: 48.16,
  currency: 'GBP',
  per: 'year',
  basis: 'term',
  inception: '2026-11-22',
  expiry: '2027-11-21',
  lines: [],
  additional_charges: [],
};

/** Returns a complete saved quote for breakdown cover. */
export function savedQuote(
  uuid: string,
  customId: string,
  info: Partial<QuoteInfo> = {},
): QuoteRead {
  const { amount_total, amount_net, amount_tax, currency, per, basis, lines } = FIGURES;
  return {
    info: {
      uuid,
      product_identifier: 'breakdown',
      product_title: 'Vehicle breakdown cover',
      product_short_title: 'Breakdown',
      custom_id: customId,
      quotePolicyID: customId,
      status_id: 1,
      status_title: 'Quote',
      reason: null,
      holder_name: 'Ann Smith',
      dates: {
        created: '2026-11-21T12:00:00Z',
        inception: '2026-11-22',
        expiry: '2027-11-21',
        quote_expiry: null,
        cover_begins: null,
      },
      revision_id: 1,
      price: { amount_total, amount_net, amount_tax, currency, per, basis, lines },
      flags: { buyable: true, accepted: false, renewal_quote: false, policy: false },
      aggregator: null,
      source_tracking: {},
      consumer_token: null,
      account: 'unclaimed',
      summary: [],
      notices: [],
      ...info,
    },
    payment_frequency: 'annual',
    plan: null,
    form: { product_identifier: 'breakdown', datasets: [] },
    values: COMPLETE.values,
    multi: COMPLETE.multi,
    versions: [],
    exclusion_answers: {},
    auto_renew: false,
    exclusions: [],
  };
}

/** Returns the plan of a price that is bought on a day, `yyyy-MM-dd`, in 12 payments. */
export function planOf(total: number, bought: string): PlanOffer {
  const pence = Math.round(total * 100);
  const each = Math.floor(pence / 12);
  const [year = 0, month = 1, day = 1] = bought.split('-').map(Number);
  const payments = Array.from({ length: 12 }, (_, index) => {
    const lastOfMonth = new Date(Date.UTC(year, month + index, 0)).getUTCDate();
    const due = new Date(Date.UTC(year, month - 1 + index, Math.min(day, lastOfMonth)));
    const amount = index === 0 ? pence - 11 * each : each;
    return { due: due.toISOString().slice(0, 10), amount: amount / 100 };
  });
  return { total, payments, consent: 'We charge each later payment to the card you pay with now.' };
}

/** Returns the server's check of the answers: errors at some fields, and nothing else. */
export function formChecked(errors: Record<string, string>) {
  const texts = Object.entries(errors).map(([path, text]) => [path, [text]]);
  return { errors: Object.fromEntries(texts), decisions: [], plates: [], derived: {} };
}

/** Returns the response to the first save of a quote. Its token is `secret`. */
export function createdQuote(uuid: string, customId: string): QuoteCreated {
  return {
    uuid,
    custom_id: customId,
    consumer_token: 'secret',
    status_id: 1,
    revision_id: 1,
    notices: [],
  };
}

/** Returns the response to a later save of a quote. */
export function updatedQuote(uuid: string, notices: string[] = []): QuoteUpdated {
  return { uuid, revision_id: 2, status_id: 1, notices };
}
