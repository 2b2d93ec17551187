import { useSite } from '../api/hooks';
import { paths } from '../lib/routes/paths';
import { AppLink } from '../ui/basics/AppLink';
import { MenuIcon, PhoneIcon } from '../ui/icons/icons';
import { AccountMenu } from './AccountMenu';
import { BrandMark } from './BrandMark';
import { Dropdown } from './Dropdown';
import { BreakdownHelp, BreakdownLine, CheckLink } from './menus/BreakdownMenu';
import classes from './Toolbar.module.css';

function Brand({ name, linked }: { name: string | undefined; linked: boolean }) {
  const content = (
    <>
      <BrandMark />
      <span className={classes.name}>{name}</span>
    </>
  );
  if (!linked) return <span className={classes.brand}>{content}</span>;
  return (
    <AppLink to={paths.home()} className={classes.brand} aria-label={`${name ?? ''} home`.trim()}>
      {content}
    </AppLink>
  );
}

function Links() {
  const { data: site } = useSite();
  if (!site) return null;
  const links = [
    { href: site.links.about_us, label: 'About us' },
    { href: site.links.motor, label: 'Motor' },
    { href: site.links.contact, label: 'Contact' },
  ];
  return (
    <ul className={classes.links}>
      {links.map((link) => (
        <li key={link.label}>
          <a href={link.href} className={classes.link}>
            {link.label}
          </a>
        </li>
      ))}
    </ul>
  );
}

/**
 * Shows the bar at the top. With `withoutLinks`, as on payment pages, it has only the brand and the
 * breakdown number.
 */
export function Toolbar({ withoutLinks }: { withoutLinks: boolean }) {
  const { data: site } = useSite();
  return (
    <header className={classes.bar}>
      <div className={classes.inner}>
        <Brand name={site?.brand} linked={!withoutLinks} />
        {withoutLinks ? (
          <BreakdownLine linked={false} />
        ) : (
          <div className={`screenOnly ${classes.end}`}>
            <nav aria-label="Main" className={classes.wide}>
              <Links />
            </nav>
            <div className={classes.wide}>
              <Dropdown
                label={
                  <>
                    <span className={classes.lamp}>
                      <PhoneIcon />
                    </span>
                    Broken down?
                  </>
                }
              >
                {() => <BreakdownHelp />}
              </Dropdown>
            </div>
            <div className={classes.call}>
              <BreakdownLine linked />
            </div>
            <nav aria-label="Main" className={classes.narrow}>
              <Dropdown
                label={
                  <>
                    <MenuIcon />
                    <span className={classes.menuLabel}>Menu</span>
                  </>
                }
              >
                {() => (
                  <>
                    <BreakdownLine linked />
                    <CheckLink />
                    <Links />
                  </>
                )}
              </Dropdown>
            </nav>
            <AccountMenu />
          </div>
        )}
      </div>
    </header>
  );
}
