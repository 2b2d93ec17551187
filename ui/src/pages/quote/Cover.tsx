import { Navigate, useLocation, useParams } from 'react-router';
import { NewQuote } from '../../features/quote/start/NewQuote';
import { paths } from '../../lib/routes/paths';
import { FRONT_PRODUCT } from '../../lib/routes/products';

/** Shows the start page of a product. The front page's product redirects to the front page. */
export default function Cover() {
  const { product = '' } = useParams();
  const { search } = useLocation();
  if (product === FRONT_PRODUCT) {
    return <Navigate to={{ pathname: paths.start(product), search }} replace />;
  }
  return <NewQuote key={product} product={product} />;
}
