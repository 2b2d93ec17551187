import { useParams } from 'react-router';
import { ClickThrough } from '../../features/quote/start/ClickThrough';

export default function Aggregator() {
  const { id } = useParams();
  return <ClickThrough id={id} />;
}
