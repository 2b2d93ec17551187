import { useParams } from 'react-router';
import { NothingHere } from '../components/errors/NothingHere';
import { SuccessScreen } from '../features/payment/result/SuccessScreen';

export default function PaymentSuccess() {
  const { id } = useParams();
  return id ? <SuccessScreen uuid={id} /> : <NothingHere what="payment" />;
}
