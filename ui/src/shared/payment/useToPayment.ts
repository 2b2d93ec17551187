import { useGo } from '../../lib/navigation/navigation';
import { type PaymentQuery, paths } from '../../lib/routes/paths';

/**
 * Goes to the payment of a quote or of a change. That page is loaded whole, so this one stays until
 * it is there, and its buttons stay busy: the promise never ends.
 */
export function useToPayment() {
  const go = useGo();
  return async (id: string, query?: PaymentQuery): Promise<never> => {
    await go(paths.payment(id, query));
    return new Promise<never>(() => {});
  };
}
