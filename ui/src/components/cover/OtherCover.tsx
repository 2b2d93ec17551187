import { useEnabledProducts } from '../../api/hooks';
import { paths } from '../../lib/paths';
import { AppLink } from '../basics/AppLink';
import classes from './OtherCover.module.css';

/** Links to the other products on sale; nothing while the list is not loaded. */
export function OtherCover({ except }: { except?: string }) {
  const { data: products } = useEnabledProducts();
  const others = (products ?? []).filter(
    (product) => product.enabled && product.identifier !== except,
  );
  if (others.length === 0) return null;
  return (
    <nav className={classes.strip} aria-label="Other cover">
      <p className={classes.label}>Other cover</p>
      <ul className={classes.list}>
        {others.map((product) => (
          <li key={product.identifier}>
            <AppLink to={paths.start(product.identifier)} className={classes.link}>
              {product.product_title}
            </AppLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
