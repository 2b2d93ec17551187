import { useParams } from 'react-router';
import { NewQuote } from '../features/quote/NewQuote';

export default function Breakdown() {
  const { cover } = useParams();
  return <NewQuote product="breakdown" preset={cover} />;
}
