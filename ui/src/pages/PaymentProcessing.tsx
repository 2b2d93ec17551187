import { useParams } from 'react-router';
import { MissingId } from '../components/errors/MissingId';
import { ProcessingScreen } from '../features/payment/result/ProcessingScreen';

export default function PaymentProcessing() {
  const { id } = useParams();
  return id ? <ProcessingScreen uuid={id} /> : <MissingId what="payment" />;
}
