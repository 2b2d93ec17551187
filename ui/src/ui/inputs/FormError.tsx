import { useFaultInTitle } from '../../lib/routes/title';
import classes from './FormError.module.css';

interface Props {
  id?: string;
  texts: readonly (string | null | undefined)[];
}

/**
 * Shows the errors of a whole form. The element is always in the page, because screen readers
 * announce an alert when its text changes.
 */
export function FormError({ id, texts }: Props) {
  const shownTexts = texts.filter((text) => text);
  useFaultInTitle(shownTexts.length > 0);
  return (
    <div role="alert" id={id} className={classes.error}>
      {shownTexts.length > 1 ? (
        <ul className="bullets">
          {shownTexts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : (
        shownTexts[0]
      )}
    </div>
  );
}
