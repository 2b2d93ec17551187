import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { useProfile } from '../../../api/hooks';
import { loadChunk } from '../../../lib/navigation/reload';
import { useDocumentTitle } from '../../../lib/routes/title';
import { AccountTabs } from '../../../shared/account/AccountTabs';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { List } from '../list/List';
import { MODES } from '../list/modes';
import { useReturnTo } from '../login/useReturnTo';
import { useResetMode } from '../password/resetMode';
import { Overview } from './Overview';
import { LISTS, tabOf } from './tabs';

const PaymentsScreen = lazy(() => loadChunk(() => import('../payments/PaymentsScreen')));

export function DashboardScreen() {
  const { data: profile } = useProfile();
  const resetting = useResetMode();
  const [params] = useSearchParams();

  const loggedIn = Boolean(profile);
  useReturnTo(loggedIn);
  const open = loggedIn && !resetting;
  // Without a login the address keeps the section, which the page shows after the login.
  const tab = open ? tabOf(params.get('tab')) : 'dashboard';
  const mode = tab === 'dashboard' || tab === 'payments' ? null : LISTS[tab];
  useDocumentTitle(mode ? MODES[mode].title : tab === 'payments' ? 'Payments' : 'My Account');

  const user = profile?.user_uuid ?? null;
  return (
    <>
      <AccountTabs tab={tab} open={open} loggedIn={loggedIn} />
      {/* A separate key for each list and person keeps their states apart. */}
      {mode ? (
        <List key={`${mode} ${user}`} mode={mode} user={user} />
      ) : tab === 'payments' ? (
        <Suspense fallback={<PageSkeleton label="Loading your payments" size={1140} />}>
          <PaymentsScreen key={user} />
        </Suspense>
      ) : (
        <Overview />
      )}
    </>
  );
}
