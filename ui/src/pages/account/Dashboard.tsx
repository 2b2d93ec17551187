import { DashboardScreen } from '../../features/account/overview/DashboardScreen';

export default function Dashboard() {
  return <DashboardScreen />;
}
