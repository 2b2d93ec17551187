import { BrokenDownScreen } from '../features/help/BrokenDownScreen';

export default function BrokenDown() {
  return <BrokenDownScreen />;
}
