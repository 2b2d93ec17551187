import { useParams } from 'react-router';
import { PolicyScreen } from '../features/policies/view/PolicyScreen';
import { MissingId } from '../ui/errors/MissingId';

export default function PolicyView() {
  const { id } = useParams();
  return id ? <PolicyScreen uuid={id} /> : <MissingId what="policy" />;
}
