import { useParams } from 'react-router';
import { NewQuote } from '../features/quote/start/NewQuote';
import { FRONT_PRODUCT } from '../lib/routes/products';

export default function Breakdown() {
  const { cover } = useParams();
  return <NewQuote product={FRONT_PRODUCT} preset={cover} />;
}
