import { NewQuote } from '../features/quote/NewQuote';

export default function Home() {
  return <NewQuote product="breakdown" />;
}
