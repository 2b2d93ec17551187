import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { formatRegistration } from '../../../lib/format/uk';
import { useAnnounce } from '../../../lib/messages/announce';
import { afterPointerUp } from '../../../lib/timing/afterPointerUp';
import type { FieldProps } from '../../fields/shared';
import { TextField } from '../../fields/TextField';
import classes from '../LookUp.module.css';
import { useVehicleLookUp } from './useVehicleLookUp';
import styles from './VehicleField.module.css';
import { lookUpText, VehicleResult, vehicleInWords } from './VehicleResult';

/** Shows a registration with its look-up, and the look-up's result. */
export function VehicleField(props: FieldProps) {
  const { field, path, value } = props;
  const {
    phase,
    plate,
    lookUp,
    lookable,
    fault,
    look: search,
    answer,
  } = useVehicleLookUp(field, path);
  const panel = useRef<HTMLDivElement>(null);
  const line = lookUpText(phase, lookUp, plate);
  const vehicleToConfirm = phase === 'question' && lookUp?.vehicle ? lookUp.vehicle : null;
  useAnnounce(
    vehicleToConfirm ? `Is this your vehicle? ${vehicleInWords(vehicleToConfirm)}` : line,
  );

  // The pressed button no longer exists, so the panel gets the focus.
  const last = useRef(phase);
  useEffect(() => {
    if (last.current === phase) return;
    last.current = phase;
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true });
  }, [phase]);

  const enter = () => {
    props.onChange(formatRegistration(String(value)));
    void search();
  };

  const find = lookable ? (
    <Button
      variant="default"
      className={classes.find}
      aria-busy={phase === 'asking'}
      onClick={() => void search()}
    >
      {phase === 'asking' ? 'Please wait…' : 'Find my vehicle'}
    </Button>
  ) : null;
  return (
    <div>
      <TextField
        {...props}
        error={fault ?? props.error}
        button={find}
        // After a look-up, Enter has its default action again.
        onEnter={lookable && plate !== '' ? enter : undefined}
        onLeave={() => {
          props.onLeave();
          if (lookable && plate !== '') afterPointerUp(() => void search());
        }}
      />
      <div ref={panel} tabIndex={-1} className={styles.panel} data-phase={phase}>
        {line && <p className={`hint ${classes.line}`}>{line}</p>}
        {lookUp?.vehicle && (phase === 'question' || phase === 'confirmed') && (
          <VehicleResult
            field={field}
            plate={String(value)}
            vehicle={lookUp.vehicle}
            recognised={phase === 'confirmed'}
            onAnswer={answer}
          />
        )}
      </div>
    </div>
  );
}
