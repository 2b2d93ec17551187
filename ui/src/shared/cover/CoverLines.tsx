import { TickIcon } from '../../ui/icons/icons';
import classes from './CoverLines.module.css';

/** Shows each line of the cover with a tick. */
export function CoverLines({ lines }: { lines: readonly { code: string; text: string }[] }) {
  return (
    <ul className={`lines ${classes.lines}`}>
      {lines.map((line) => (
        <li key={line.code} className="iconLine">
          <TickIcon size={18} />
          <span>{line.text}</span>
        </li>
      ))}
    </ul>
  );
}
