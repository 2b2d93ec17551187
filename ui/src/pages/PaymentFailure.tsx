import { useParams } from 'react-router';
import { MissingId } from '../components/errors/MissingId';
import { FailureScreen } from '../features/payment/result/FailureScreen';

export default function PaymentFailure() {
  const { id } = useParams();
  return id ? <FailureScreen uuid={id} /> : <MissingId what="payment" />;
}
