import { useEffect, useRef } from 'react';
import { DeclineNotice } from '../../../form/fields/DeclineNotice';
import { FieldInput } from '../../../form/fields/FieldInput';
import classes from '../../../form/lookups/LookUp.module.css';
import { useVehicleLookUp } from '../../../form/lookups/vehicle/useVehicleLookUp';
import {
  lookUpText,
  VehicleResult,
  vehicleInWords,
} from '../../../form/lookups/vehicle/VehicleResult';
import { useFormApi } from '../../../form/state/FormContext';
import { useAnnounce } from '../../../lib/messages/announce';
import { LinkButton } from '../../../ui/basics/LinkButton';
import type { FirstVehicle } from './firstVehicle';
import styles from './HeroVehicle.module.css';

interface Props {
  vehicle: FirstVehicle;
  /** Whether the page waits for this vehicle before it scrolls to the levels. */
  isPending: boolean;
  /**
   * Called while `isPending`, as soon as the result is known. `canContinue` is false after a failed
   * look-up, or if the vehicle needs an answer or was refused.
   */
  onDone: (canContinue: boolean) => void;
  /** The choice of cover without a vehicle. */
  other: { label: string; onChoose: () => void };
}

/**
 * Shows the vehicle of the first page's registration. Asks the same questions and shows the same
 * refusals as the vehicle's card in the next step.
 */
export default function HeroVehicle({ vehicle, isPending, onDone, other }: Props) {
  const { decisions } = useFormApi();
  const { field, path, dateField, datePath, isKnown, verdict } = vehicle;
  const { phase, plate, lookUp, fault, answer } = useVehicleLookUp(field, path);
  const asksDate = phase === 'typed' && dateField !== undefined && datePath !== null;
  const refused = (datePath && decisions[datePath]) || null;
  const line = fault ?? lookUpText(phase, lookUp, plate);
  const vehicleToConfirm = phase === 'question' && lookUp?.vehicle ? lookUp.vehicle : null;
  useAnnounce(
    vehicleToConfirm ? `Is this your vehicle? ${vehicleInWords(vehicleToConfirm)}` : line,
  );

  const isSettled = phase === 'confirmed' || phase === 'typed';
  const outcome = fault || (isSettled && (!isKnown || verdict === 'refused')) ? 'stop' : 'go';
  const result = outcome === 'stop' || (isSettled && verdict === 'accepted') ? outcome : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onDone` is a new function at each render
  useEffect(() => {
    if (isPending && result) onDone(result === 'go');
  }, [isPending, result]);

  // The pressed button no longer exists, so this element gets the focus.
  const panel = useRef<HTMLDivElement>(null);
  const last = useRef(phase);
  useEffect(() => {
    if (last.current === phase) return;
    last.current = phase;
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true });
  }, [phase]);

  const vehicleToShow =
    lookUp?.vehicle && (phase === 'question' || phase === 'confirmed') && lookUp.vehicle;
  if (!line && !vehicleToShow && !asksDate && !refused) return null;
  return (
    <div ref={panel} tabIndex={-1} className={classes.heroVehicle} data-phase={phase}>
      {line && !asksDate && <p className={`hint ${classes.line}`}>{line}</p>}
      {vehicleToShow && (
        <VehicleResult
          field={field}
          plate={plate}
          vehicle={vehicleToShow}
          recognised={phase === 'confirmed'}
          onAnswer={answer}
        />
      )}
      {asksDate && (
        <div className={classes.found}>
          {line && <p className={`hint ${classes.line}`}>{line}</p>}
          <FieldInput field={dateField} path={datePath} options={[]} />
        </div>
      )}
      {refused && (
        <div className={classes.found}>
          {!asksDate && <DeclineNotice text={refused} />}
          <LinkButton underline="always" className={styles.alternative} onClick={other.onChoose}>
            {other.label}
          </LinkButton>
        </div>
      )}
    </div>
  );
}
