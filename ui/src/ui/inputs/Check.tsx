import type { InputHTMLAttributes, ReactNode } from 'react';
import classes from './Check.module.css';

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'type'> & {
  label: ReactNode;
  onChange: (checked: boolean) => void;
};

/** Shows a checkbox. A click anywhere on the label toggles the checkbox. */
export function Check({ label, onChange, ...props }: Props) {
  return (
    <label className={classes.check}>
      <input
        type="checkbox"
        {...props}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
