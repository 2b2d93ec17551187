import { useNavigate } from 'react-router';
import { type PaymentQuery, paths } from './paths';

/**
 * Goes to the payment of a quote or of a change. That page is loaded whole, so this one stays until
 * it is there, and its buttons stay busy: the promise never ends.
 */
export function useToPayment() {
  const navigate = useNavigate();
  return async (id: string, query?: PaymentQuery): Promise<never> => {
    await navigate(paths.payment(id, query));
    return new Promise<never>(() => {});
  };
}
