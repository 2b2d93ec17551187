import { forId, type Server } from '../../../api/testing';
import type { PlanOffer, QuoteRead, Values } from '../../../api/types';
import { savedQuote, UUID } from '../../../testing/data';
import { EditQuote } from './EditQuote';

/** Matches the name of the pay button, with or without the amount. */
export const PAY = /^Pay( £[\d,.]+ now)?$/;

interface QuoteShape {
  status?: QuoteRead['info']['status_id'];
  reason?: string;
  revision?: number;
  policy?: boolean;
  renewal?: boolean;
  notices?: string[];
  values?: Values;
  /** The first day of cover, `yyyy-MM-dd`. */
  inception?: string;
  plan?: PlanOffer | null;
  /** How the newest acceptance pays. */
  frequency?: QuoteRead['payment_frequency'];
  /** When the quote was saved. */
  saved?: string;
}

export function quote(shape: QuoteShape = {}): QuoteRead {
  const { status = 1, reason = null, revision = 1, policy = false, renewal = false } = shape;
  const saved = savedQuote(UUID, 'BRK100000001', {
    status_id: status,
    reason,
    revision_id: revision,
    flags: { buyable: status === 1, accepted: false, renewal_quote: renewal, policy },
    notices: shape.notices ?? [],
  });
  const { inception = saved.info.dates.inception } = shape;
  const versions = shape.saved
    ? [{ policy_revision_id: revision, date_revision: shape.saved, amount_total: 48.16 }]
    : saved.versions;
  return {
    ...saved,
    plan: shape.plan ?? null,
    payment_frequency: shape.frequency ?? 'annual',
    info: { ...saved.info, dates: { ...saved.info.dates, inception } },
    values: { ...saved.values, ...shape.values },
    versions,
  };
}

/** Builds a server with one quote. If `shape` is a function, each read calls the function. */
export function reading(shape: QuoteShape | (() => QuoteShape) = {}): Server {
  return {
    'GET /api/v2/public/quote/read/{id}': forId(UUID, () => ({
      data: quote(typeof shape === 'function' ? shape() : shape),
    })),
  };
}

export const ROUTES = {
  '/': <p>The quote start</p>,
  '/quote/edit/:id': <EditQuote uuid={UUID} bought={<p>Policy form</p>} />,
  '/payment/:id': <p>Payment page</p>,
  '/policy/view/:id': <p>Policy page</p>,
};
