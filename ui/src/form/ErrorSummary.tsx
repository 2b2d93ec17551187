import { Icon } from '../components/icons/Icon';
import { useFaultInTitle } from '../lib/title';
import classes from './ErrorSummary.module.css';
import type { ListedError } from './errors';
import { controlId } from './FormContext';
import { focusPath } from './focus';

interface Props {
  errors: ListedError[];
  /** What is wrong on other steps, where a refused save named it. */
  elsewhere?: ListedError[];
  /** Goes to the step of an error that is not on this one. */
  onOpen?: (path: string) => void;
}

/** Everything that is wrong in one place, each with a link to where it is. */
export function ErrorSummary({ errors, elsewhere = [], onOpen }: Props) {
  const count = errors.length + elsewhere.length;
  useFaultInTitle(count > 0);
  if (count === 0) return null;
  return (
    <div className={classes.summary} role="alert" aria-labelledby="error-summary-title">
      <h2 id="error-summary-title" className={classes.title}>
        <Icon name="alert" size={24} />
        There is a problem
      </h2>
      <ul className={classes.list}>
        {[...errors, ...elsewhere].map((error) => (
          <li key={error.path}>
            <a
              href={`#${controlId(error.path)}`}
              onClick={(event) => {
                event.preventDefault();
                if (elsewhere.includes(error)) onOpen?.(error.path);
                else focusPath(error.path);
              }}
            >
              {error.card && `${error.card}: `}
              {error.text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
