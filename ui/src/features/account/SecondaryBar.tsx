import { AppLink } from '../../components/basics/AppLink';
import { LogoutButton } from '../../components/login/LogoutButton';
import classes from './SecondaryBar.module.css';
import { TABS, type Tab } from './tabs';

interface Props {
  tab: Tab;
  /** Whether the account's lists may be seen. */
  open: boolean;
  loggedIn: boolean;
}

export function SecondaryBar({ tab, open, loggedIn }: Props) {
  return (
    <nav aria-label="Your account" className={classes.bar}>
      <ul className={classes.inner}>
        {TABS.filter((item) => open || item.tab === 'dashboard').map((item) => (
          <li key={item.tab}>
            <AppLink
              to={item.to}
              className={classes.tab}
              aria-current={item.tab === tab ? 'page' : undefined}
            >
              {item.label}
            </AppLink>
          </li>
        ))}
        {loggedIn && (
          <li className={classes.logout}>
            <LogoutButton size="sm" />
          </li>
        )}
      </ul>
    </nav>
  );
}
