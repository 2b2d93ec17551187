import { useParams } from 'react-router';
import { SuccessScreen } from '../../features/payment/result/SuccessScreen';
import { MissingId } from '../../ui/errors/MissingId';

export default function PaymentSuccess() {
  const { id } = useParams();
  return id ? <SuccessScreen uuid={id} /> : <MissingId what="payment" />;
}
