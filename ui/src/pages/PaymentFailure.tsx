import { useParams } from 'react-router';
import { NothingHere } from '../components/errors/NothingHere';
import { FailureScreen } from '../features/payment/result/FailureScreen';

export default function PaymentFailure() {
  const { id } = useParams();
  return id ? <FailureScreen uuid={id} /> : <NothingHere what="payment" />;
}
