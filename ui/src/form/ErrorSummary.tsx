import classes from './ErrorSummary.module.css';
import type { ListedError } from './errors';
import { controlId } from './FormContext';
import { focusPath } from './focus';
import { Icon } from './Icon';

/** Everything that is wrong on this step in one place, each with a link to where it is. */
export function ErrorSummary({ errors }: { errors: ListedError[] }) {
  if (errors.length === 0) return null;
  return (
    <div className={classes.summary} role="alert" aria-labelledby="error-summary-title">
      <h2 id="error-summary-title" className={classes.title}>
        <Icon name="alert" size={24} />
        There is a problem
      </h2>
      <ul className={classes.list}>
        {errors.map((error) => (
          <li key={error.path}>
            <a
              href={`#${controlId(error.path)}`}
              onClick={(event) => {
                event.preventDefault();
                focusPath(error.path);
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
