import type { PlanChoice } from '../../api/policies/plans';
import type { PaymentQuery } from '../../lib/routes/paths';

/** Returns the query of the page that pays for a plan. */
export function planQuery({ rest, keepCard }: PlanChoice): PaymentQuery {
  return { plan: rest ? 'rest' : 'due', keep: keepCard ? '1' : undefined };
}
