import { useNavigation } from '../../lib/navigation/navigation';
import { useSimulatedProgress } from '../../lib/timing/progress';
import classes from './LoadingBar.module.css';

export function LoadingBar() {
  const progress = useSimulatedProgress(useNavigation().loading);
  if (progress === null) return null;
  return (
    <div
      className={classes.track}
      role="progressbar"
      aria-label="Loading the page"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(progress)}
    >
      <div className={classes.bar} style={{ transform: `scaleX(${progress / 100})` }} />
    </div>
  );
}
