import { useParams } from 'react-router';
import { MissingId } from '../components/errors/MissingId';
import { PolicyScreen } from '../features/policies/view/PolicyScreen';

export default function PolicyView() {
  const { id } = useParams();
  return id ? <PolicyScreen uuid={id} /> : <MissingId what="policy" />;
}
