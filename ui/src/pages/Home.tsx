import { NewQuote } from '../features/quote/start/NewQuote';
import { FRONT_PRODUCT } from '../lib/routes/products';

export default function Home() {
  return <NewQuote product={FRONT_PRODUCT} />;
}
