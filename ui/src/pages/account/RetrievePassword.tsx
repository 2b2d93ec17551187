import { RetrieveScreen } from '../../features/account/password/RetrieveScreen';

export default function RetrievePassword() {
  return <RetrieveScreen />;
}
