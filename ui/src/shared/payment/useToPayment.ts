import { useGo } from '../../lib/navigation/navigation';
import { type PaymentQuery, paths } from '../../lib/routes/paths';

/**
 * Returns a function that opens the payment page of a quote or a change. The browser loads that
 * page as a new document. The function's promise never resolves, so that the buttons of the present
 * page stay busy.
 */
export function useToPayment() {
  const go = useGo();
  return async (id: string, query?: PaymentQuery): Promise<never> => {
    await go(paths.payment(id, query));
    return new Promise<never>(() => {});
  };
}
