import { useParams } from 'react-router';
import { MissingId } from '../components/errors/MissingId';
import { SuccessScreen } from '../features/payment/result/SuccessScreen';

export default function PaymentSuccess() {
  const { id } = useParams();
  return id ? <SuccessScreen uuid={id} /> : <MissingId what="payment" />;
}
