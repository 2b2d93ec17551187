import { RetrieveScreen } from '../features/account/RetrieveScreen';

export default function RetrievePassword() {
  return <RetrieveScreen />;
}
