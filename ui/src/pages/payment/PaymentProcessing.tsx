import { useParams } from 'react-router';
import { ProcessingScreen } from '../../features/payment/result/ProcessingScreen';
import { MissingId } from '../../ui/errors/MissingId';

export default function PaymentProcessing() {
  const { id } = useParams();
  return id ? <ProcessingScreen uuid={id} /> : <MissingId what="payment" />;
}
