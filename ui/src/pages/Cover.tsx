import { Navigate, useLocation, useParams } from 'react-router';
import { NewQuote } from '../features/quote/NewQuote';
import { startPage } from '../lib/products';

/** The start page of any product; the front page's own product begins there. */
export default function Cover() {
  const { product = '' } = useParams();
  const { search } = useLocation();
  const start = startPage(product);
  if (start !== `/cover/${product}`) return <Navigate to={`${start}${search}`} replace />;
  return <NewQuote key={product} product={product} />;
}
