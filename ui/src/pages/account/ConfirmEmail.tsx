import { ConfirmEmailScreen } from '../../features/account/portal/ConfirmEmailScreen';

export default function ConfirmEmail() {
  return <ConfirmEmailScreen />;
}
