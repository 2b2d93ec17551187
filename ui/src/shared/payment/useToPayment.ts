import { useGo } from '../../lib/navigation/navigation';
import { type PaymentQuery, paths } from '../../lib/routes/paths';

/**
 * Opens the payment of a quote or a change. That page is a new document, so the present page stays,
 * with busy buttons: the promise never resolves.
 */
export function useToPayment() {
  const go = useGo();
  return async (id: string, query?: PaymentQuery): Promise<never> => {
    await go(paths.payment(id, query));
    return new Promise<never>(() => {});
  };
}
