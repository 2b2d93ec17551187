import { useParams } from 'react-router';
import { NothingHere } from '../components/errors/NothingHere';
import { ProcessingScreen } from '../features/payment/result/ProcessingScreen';

export default function PaymentProcessing() {
  const { id } = useParams();
  return id ? <ProcessingScreen uuid={id} /> : <NothingHere what="payment" />;
}
