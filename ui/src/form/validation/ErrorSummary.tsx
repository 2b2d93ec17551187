import { Group, Title } from '@mantine/core';
import { useFaultInTitle } from '../../lib/routes/title';
import { Icon } from '../../ui/icons/Icon';
import { controlId } from '../state/FormContext';
import classes from './ErrorSummary.module.css';
import type { ListedError } from './errors';
import { ERROR_SUMMARY_ID, focusPath } from './focusPath';

interface Props {
  errors: ListedError[];
  /** Errors on other steps, which the server found when it refused a save. */
  elsewhere?: ListedError[];
  /** Opens the step of an error in `elsewhere`. */
  onOpen?: (path: string) => void;
}

/** Shows the list of all errors, each with a link to its field. */
export function ErrorSummary({ errors, elsewhere = [], onOpen }: Props) {
  const count = errors.length + elsewhere.length;
  useFaultInTitle(count > 0);
  if (count === 0) return null;
  return (
    <div
      id={ERROR_SUMMARY_ID}
      className={`panel ${classes.summary}`}
      role="alert"
      tabIndex={-1}
      aria-labelledby="error-summary-title"
    >
      <Group gap="xs" mb="xs">
        <Icon name="alert" size={24} />
        <Title order={2} size="h3" id="error-summary-title">
          There is a problem
        </Title>
      </Group>
      <ul className="bullets">
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
