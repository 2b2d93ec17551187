import { ResetScreen } from '../../features/account/password/ResetScreen';

export default function ResetPassword() {
  return <ResetScreen />;
}
