import { HelpScreen } from '../features/help/HelpScreen';

export default function Help() {
  return <HelpScreen />;
}
