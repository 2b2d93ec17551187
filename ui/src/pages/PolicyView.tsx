import { useParams } from 'react-router';
import { NothingHere } from '../components/errors/NothingHere';
import { PolicyScreen } from '../features/policies/view/PolicyScreen';

export default function PolicyView() {
  const { id } = useParams();
  return id ? <PolicyScreen uuid={id} /> : <NothingHere what="policy" />;
}
