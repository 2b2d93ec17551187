import { useSite } from '../api/hooks';
import { paths } from '../lib/routes/paths';
import { AppLink } from '../ui/basics/AppLink';
import { consentReopened } from './cookies/consent';
import classes from './Footer.module.css';

export function Footer({ withoutLinks }: { withoutLinks: boolean }) {
  const { data: site } = useSite();
  if (!site) return <footer className={classes.footer} />;
  const links = [
    { href: site.links.terms, label: 'Terms' },
    { href: site.links.privacy, label: 'Privacy' },
    { href: site.links.cookies, label: 'Cookies' },
    { href: site.links.contact, label: 'Contact' },
  ];
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        {!withoutLinks && (
          <nav aria-label="Legal and contact">
            <ul className={classes.links}>
              <li>
                <AppLink to={paths.help()} className={classes.link}>
                  Help
                </AppLink>
              </li>
              {links.map((link) => (
                <li key={link.label}>
                  <a href={link.href} className={classes.link}>
                    {link.label}
                  </a>
                </li>
              ))}
              <li>
                <button
                  type="button"
                  className={classes.link}
                  onClick={() => consentReopened.set(true)}
                >
                  Cookie choices
                </button>
              </li>
            </ul>
          </nav>
        )}
        <div className={classes.texts}>
          <div>
            {site.footer.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
          <section aria-labelledby="complaints">
            <h2 id="complaints" className={classes.heading}>
              How to complain
            </h2>
            <p>{site.complaints}</p>
          </section>
        </div>
      </div>
    </footer>
  );
}
