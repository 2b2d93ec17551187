import { useState } from 'react';
import type { Aggregator } from '../../api/types';
import classes from './Partner.module.css';

interface Props {
  aggregator: Aggregator | null;
  className?: string;
}

/** The partner through whom a quote came: the name, and the logo if there is one. */
export function Partner({ aggregator, className }: Props) {
  const [broken, setBroken] = useState(false);
  if (!aggregator) return null;
  return (
    <div className={className ? `${classes.partner} ${className}` : classes.partner}>
      <span>In association with:</span>
      <div className={classes.name}>
        {aggregator.logo_url && !broken && (
          <img src={aggregator.logo_url} alt="" onError={() => setBroken(true)} />
        )}
        <strong>{aggregator.name}</strong>
      </div>
    </div>
  );
}
