import { Navigate, useLocation, useParams } from 'react-router';
import { NewQuote } from '../features/quote/NewQuote';
import { startPage } from '../lib/products';

/** The start page of a product; the product of the front page is redirected there. */
export default function Cover() {
  const { product = '' } = useParams();
  const { search } = useLocation();
  const start = startPage(product);
  if (start !== `/cover/${product}`) return <Navigate to={`${start}${search}`} replace />;
  return <NewQuote key={product} product={product} />;
}
