import { PortalScreen } from '../features/account/PortalScreen';

export default function Portal() {
  return <PortalScreen />;
}
