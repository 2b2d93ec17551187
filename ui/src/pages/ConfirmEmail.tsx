import { ConfirmEmailScreen } from '../features/account/ConfirmEmailScreen';

export default function ConfirmEmail() {
  return <ConfirmEmailScreen />;
}
