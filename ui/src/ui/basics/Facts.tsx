import type { ReactNode } from 'react';

interface Props {
  /** Labels with their values. A row without a value is left out. */
  rows: readonly (readonly [label: string, value: ReactNode])[];
  className?: string;
}

export function Facts({ rows, className = 'facts' }: Props) {
  return (
    <dl className={className}>
      {rows.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
