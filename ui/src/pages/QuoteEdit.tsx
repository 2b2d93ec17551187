import { useParams } from 'react-router';
import { EditQuote } from '../features/quote/EditQuote';

export default function QuoteEdit() {
  const { id } = useParams();
  return <EditQuote uuid={id} />;
}
