import { DashboardScreen } from '../features/account/DashboardScreen';

export default function Dashboard() {
  return <DashboardScreen />;
}
