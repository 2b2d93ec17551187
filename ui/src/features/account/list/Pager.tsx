import { Button, Group, NativeSelect } from '@mantine/core';
import { ChevronIcon } from '../../../ui/icons/icons';
import classes from './Pager.module.css';
import { PAGE_SIZE } from './settings';

/**
 * Returns the page numbers to show: the first, the last, and those around the current page. Null
 * marks a gap of several pages.
 */
export function pagesAround(page: number, last: number): (number | null)[] {
  const near = [1, page - 1, page, page + 1, last].filter((n) => n >= 1 && n <= last);
  const pages = [...new Set(near)].sort((a, b) => a - b);
  return pages.flatMap((n, index) => {
    const gap = n - (pages[index - 1] ?? 0);
    if (gap === 2) return [n - 1, n];
    return gap > 2 ? [null, n] : [n];
  });
}

interface Props {
  page: number;
  last: number;
  onPage: (page: number) => void;
}

interface StepProps extends Props {
  label: string;
  to: number;
}

/**
 * Shows the button to the previous or next page. Without such a page, the button stays focusable,
 * so that keyboard users don't lose the focus.
 */
function Step({ label, to, last, onPage }: StepProps) {
  const ends = to < 1 || to > last;
  return (
    <Button
      variant="default"
      size="sm"
      aria-disabled={ends || undefined}
      data-disabled={ends || undefined}
      onClick={() => {
        if (!ends) onPage(to);
      }}
    >
      {label}
    </Button>
  );
}

function Numbers({ page, last, onPage }: Props) {
  return (
    <Group component="ol" gap="0.25rem" className={classes.numbers}>
      {pagesAround(page, last).map((n, index, all) =>
        n === null ? (
          <li key={`after ${all[index - 1]}`} aria-hidden="true">
            …
          </li>
        ) : (
          <li key={n}>
            <Button
              size="sm"
              px="xs"
              miw="2.75rem"
              variant={n === page ? 'filled' : 'subtle'}
              aria-label={`Page ${n}`}
              aria-current={n === page ? 'page' : undefined}
              onClick={() => onPage(n)}
            >
              {n}
            </Button>
          </li>
        ),
      )}
    </Group>
  );
}

export function Pager(props: Props) {
  const { page, last } = props;
  return (
    <Group justify="space-between" gap="0.75rem 1.5rem" className="screenOnly">
      <NativeSelect
        label="Items per page"
        size="sm"
        data={[String(PAGE_SIZE)]}
        disabled
        rightSection={<ChevronIcon size={16} />}
        className={classes.size}
      />
      {last > 1 && (
        <Group component="nav" aria-label="Pages" gap="xs" className={classes.steps}>
          <Step {...props} label="Previous" to={page - 1} />
          <span className={`tabular ${classes.place}`}>
            Page {page} of {last}
          </span>
          <Numbers {...props} />
          <Step {...props} label="Next" to={page + 1} />
        </Group>
      )}
    </Group>
  );
}
