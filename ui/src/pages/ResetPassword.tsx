import { ResetScreen } from '../features/account/ResetScreen';

export default function ResetPassword() {
  return <ResetScreen />;
}
