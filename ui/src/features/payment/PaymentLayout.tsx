import type { ReactNode } from 'react';
import classes from './PaymentLayout.module.css';

/** Places the payment beside the summary of the purchase. */
export function PaymentColumns({ children }: { children: ReactNode }) {
  return <div className={classes.columns}>{children}</div>;
}

/** Places the parts of a payment one below another. */
export function PaymentStack({ role, children }: { role?: 'alert'; children: ReactNode }) {
  return (
    <div role={role} className={classes.stack}>
      {children}
    </div>
  );
}
