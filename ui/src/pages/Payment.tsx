import { useParams } from 'react-router';
import { MissingId } from '../components/errors/MissingId';
import { PayScreen } from '../features/payment/pay/PayScreen';

export default function Payment() {
  const { id } = useParams();
  return id ? <PayScreen uuid={id} /> : <MissingId what="payment" />;
}
