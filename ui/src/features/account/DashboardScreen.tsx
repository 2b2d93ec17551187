import { useNavigate, useSearchParams } from 'react-router';
import { useProfile } from '../../api/hooks';
import { Waiting } from '../../components/Waiting';
import { ownPath } from '../../lib/signOn';
import { useDocumentTitle } from '../../lib/title';
import { Details } from './Details';
import { LoggedOut } from './LoggedOut';

export function DashboardScreen() {
  useDocumentTitle('My Account');
  const { data: profile, error } = useProfile();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const back = ownPath(params.get('state'));

  if (profile === undefined && !error) return <Waiting label="Loading your account" />;
  if (profile) return <Details />;
  return (
    <LoggedOut
      wanted={back !== null}
      onLogin={() => {
        if (back) navigate(back, { replace: true });
      }}
    />
  );
}
