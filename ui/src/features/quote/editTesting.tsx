import { type Answer, type Call, savedQuote } from '../../testing/server';
import { EditQuote } from './EditQuote';

export const UUID = '0197f3c2-0000-7000-8000-000000000001';

interface Shape {
  status?: number;
  reason?: string;
  revision?: number;
  policy?: boolean;
  values?: Record<string, unknown>;
}

export function quote({ status = 1, reason, revision = 1, policy = false, values }: Shape) {
  const saved = savedQuote(UUID, 'BRK100000001');
  return {
    ...saved,
    info: {
      ...saved.info,
      status_id: status,
      reason: reason ?? null,
      revision_id: revision,
      flags: { ...saved.info.flags, buyable: status === 1, policy },
    },
    values: { ...saved.values, ...values },
  };
}

export const reading =
  (shape: Shape = {}, others: Answer = () => undefined): Answer =>
  (call: Call) =>
    call.path === `/api/v2/public/quote/read/${UUID}`
      ? { status: 200, body: { data: quote(shape) } }
      : others(call);

export const ROUTES = {
  '/': <p>The quote start</p>,
  '/quote/edit/:id': <EditQuote uuid={UUID} bought={<p>Policy form</p>} />,
  '/payment/:id': <p>Payment page</p>,
  '/policy/view/:id': <p>Policy page</p>,
};
