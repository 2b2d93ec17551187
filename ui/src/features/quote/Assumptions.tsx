import { Anchor } from '@mantine/core';
import { lazy, Suspense, useRef, useState } from 'react';
import type { Assumptions as Given } from '../../api/types';
import { Icon } from '../../components/icons/Icon';
import { loadChunk } from '../../lib/reload';
import classes from './Assumptions.module.css';

const AssumptionsDialog = lazy(() => loadChunk(() => import('./AssumptionsDialog')));

/** What must be true of what is covered: one press away, wherever one decides. */
export function Assumptions({ assumptions }: { assumptions: Given | null | undefined }) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  // Stays for the moment in which it fades.
  const [wanted, setWanted] = useState(false);
  if (!assumptions || assumptions.points.length === 0) return null;
  return (
    <>
      <Anchor
        ref={button}
        component="button"
        type="button"
        className={classes.open}
        aria-haspopup="dialog"
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        <Icon name="info" size={20} />
        {assumptions.title}
      </Anchor>
      {wanted && (
        <Suspense>
          <AssumptionsDialog
            assumptions={assumptions}
            opened={open}
            onClose={() => setOpen(false)}
            onGone={() => {
              setWanted(false);
              button.current?.focus();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
