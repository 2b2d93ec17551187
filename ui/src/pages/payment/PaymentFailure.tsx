import { useParams } from 'react-router';
import { FailureScreen } from '../../features/payment/result/FailureScreen';
import { MissingId } from '../../ui/errors/MissingId';

export default function PaymentFailure() {
  const { id } = useParams();
  return id ? <FailureScreen uuid={id} /> : <MissingId what="payment" />;
}
