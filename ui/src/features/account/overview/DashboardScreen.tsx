import { useSearchParams } from 'react-router';
import { useProfile } from '../../../api/hooks';
import { useDocumentTitle } from '../../../lib/routes/title';
import { AccountTabs } from '../../../shared/account/AccountTabs';
import { List } from '../list/List';
import { MODES } from '../list/modes';
import { useReturnTo } from '../login/useReturnTo';
import { useResetMode } from '../password/resetMode';
import { Overview } from './Overview';
import { LISTS, tabOf } from './tabs';

export function DashboardScreen() {
  const { data: profile } = useProfile();
  const resetting = useResetMode();
  const [params] = useSearchParams();

  const loggedIn = Boolean(profile);
  useReturnTo(loggedIn);
  const open = loggedIn && !resetting;
  // Without a login the address keeps the section, which the page shows after the login.
  const tab = open ? tabOf(params.get('tab')) : 'dashboard';
  const mode = tab === 'dashboard' ? null : LISTS[tab];
  useDocumentTitle(mode ? MODES[mode].title : 'My Account');

  const user = profile?.user_uuid ?? null;
  return (
    <>
      <AccountTabs tab={tab} open={open} loggedIn={loggedIn} />
      {/* A separate key for each list and person keeps their states apart. */}
      {mode ? <List key={`${mode} ${user}`} mode={mode} user={user} /> : <Overview />}
    </>
  );
}
