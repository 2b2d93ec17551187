import { lazy, Suspense, useRef, useState } from 'react';
import type { Assumptions as Given } from '../../../api/types';
import { loadChunk } from '../../../lib/navigation/reload';
import { LinkButton } from '../../../ui/basics/LinkButton';
import { InfoIcon } from '../../../ui/icons/icons';
import classes from './Assumptions.module.css';

const AssumptionsDialog = lazy(() => loadChunk(() => import('./AssumptionsDialog')));

/** Shows a button that opens the product's assumptions. */
export function Assumptions({ assumptions }: { assumptions: Given | null | undefined }) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  // The dialog stays mounted while it fades out.
  const [isMounted, setIsMounted] = useState(false);
  if (!assumptions || assumptions.points.length === 0) return null;
  return (
    <>
      <LinkButton
        ref={button}
        className={classes.open}
        aria-haspopup="dialog"
        onClick={() => {
          setIsMounted(true);
          setOpen(true);
        }}
      >
        <InfoIcon />
        {assumptions.title}
      </LinkButton>
      {isMounted && (
        <Suspense>
          <AssumptionsDialog
            assumptions={assumptions}
            opened={open}
            onClose={() => setOpen(false)}
            onClosed={() => {
              setIsMounted(false);
              button.current?.focus();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
