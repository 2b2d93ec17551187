import { VisuallyHidden } from '@mantine/core';
import { useSite } from '../../api/hooks';
import { AppLink } from '../../components/basics/AppLink';
import { BackIcon } from '../../components/icons/icons';
import classes from './Payment.module.css';

/**
 * The way back from a payment page, and what may have to be read before paying. Those open in a new
 * tab, so that the card's form stays as it is.
 */
export function PaymentTop({ back }: { back: string }) {
  const { data: site } = useSite();
  const links = site
    ? [
        ['Terms', site.links.terms],
        ['Privacy', site.links.privacy],
        ['Cookies', site.links.cookies],
      ]
    : [];
  return (
    <div className={classes.top}>
      <AppLink to={back} className={classes.back}>
        <BackIcon /> Back
      </AppLink>
      {links.length > 0 && (
        <nav aria-label="Legal">
          <ul className={classes.legal}>
            {links.map(([label, href]) => (
              <li key={label}>
                <a href={href} target="_blank" rel="noopener noreferrer">
                  {label}
                  <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
