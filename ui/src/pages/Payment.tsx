import { useParams } from 'react-router';
import { NothingHere } from '../components/errors/NothingHere';
import { PayScreen } from '../features/payment/pay/PayScreen';

export default function Payment() {
  const { id } = useParams();
  return id ? <PayScreen uuid={id} /> : <NothingHere what="payment" />;
}
