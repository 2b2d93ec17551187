import { paths } from '../../lib/routes/paths';
import { AppLink } from '../../ui/basics/AppLink';
import { LogoutButton } from '../login/LogoutButton';
import classes from './AccountTabs.module.css';

export type Tab = 'dashboard' | 'policies' | 'payments' | 'quotes' | 'renewals';

export const TABS: readonly { tab: Tab; label: string; to: string }[] = [
  { tab: 'dashboard', label: 'Dashboard', to: paths.dashboard() },
  { tab: 'policies', label: 'Policies', to: paths.dashboard('policies') },
  { tab: 'payments', label: 'Payments', to: paths.dashboard('payments') },
  { tab: 'quotes', label: 'Quotes', to: paths.dashboard('quotes') },
  { tab: 'renewals', label: 'Renewal Quotes', to: paths.dashboard('renewals') },
];

interface Props {
  tab: Tab;
  /** Whether the page belongs to the tab, but is not the tab's own page. */
  isInPage?: boolean;
  /** Whether to link to the account's lists. If not, only the dashboard's tab is shown. */
  open: boolean;
  loggedIn: boolean;
}

/** Shows links to the sections of the account. A person logged in also gets the logout button. */
export function AccountTabs({ tab, isInPage = false, open, loggedIn }: Props) {
  return (
    <nav aria-label="Your account" className={`screenOnly ${classes.bar}`}>
      <ul className={classes.inner}>
        {TABS.filter((item) => open || item.tab === 'dashboard').map((item) => (
          <li key={item.tab}>
            <AppLink
              to={item.to}
              className={classes.tab}
              aria-current={item.tab === tab ? (isInPage ? 'true' : 'page') : undefined}
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
