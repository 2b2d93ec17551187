import { useParams } from 'react-router';
import { PayScreen } from '../../features/payment/pay/PayScreen';
import { MissingId } from '../../ui/errors/MissingId';

export default function Payment() {
  const { id } = useParams();
  return id ? <PayScreen uuid={id} /> : <MissingId what="payment" />;
}
