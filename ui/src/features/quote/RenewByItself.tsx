import { useId } from 'react';
import { Check } from '../../components/inputs/Check';
import classes from './Journey.module.css';

export interface Renewing {
  on: boolean;
  onChange: (on: boolean) => void;
}

/** Asks whether the cover is to renew by itself, and says what that means. Never ticked before. */
export function RenewByItself({ on, onChange }: Renewing) {
  const meaning = useId();
  return (
    <div className={classes.renewing}>
      <Check
        label="Renew my cover by itself each year"
        checked={on}
        onChange={onChange}
        aria-describedby={meaning}
      />
      <p id={meaning}>
        About four weeks before your cover ends we write to you with the new price. On its last day
        we charge that price to the card you pay with now, and your cover goes on without a gap. You
        can switch this off with your policy at any time until then. Unticked, nothing is charged,
        and your cover ends on its last day unless you renew it.
      </p>
    </div>
  );
}
