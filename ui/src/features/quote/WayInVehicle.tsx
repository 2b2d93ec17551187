import { useEffect } from 'react';
import type { WayIn } from '../../api/types';
import { fieldAt, readAnswer } from '../../form/answers';
import { useFormApi } from '../../form/FormContext';
import classes from '../../form/lookups/LookUp.module.css';
import { useVehicleLookUp } from '../../form/lookups/useVehicleLookUp';
import { VehicleFound, vehicleInWords } from '../../form/lookups/VehicleFound';
import { barePlate } from '../../form/lookups/vehicle';
import type { Field, Form } from '../../form/types';
import { useAnnounce } from '../../lib/announce';
import { writtenPlate } from '../../lib/uk';
import { pathOfWayIn } from './WayIn';

interface Props {
  wayIn: WayIn;
  form: Form;
  /** Whether somebody waits to go on to the cover of the registration. */
  waits: boolean;
  /** Called while somebody waits, once nothing is asked about the vehicle any more. */
  onSettled: () => void;
}

/** The vehicle whose registration was typed on the first page: at its plate, or above the prices that it changes. */
export default function WayInVehicle({ wayIn, form, waits, onSettled }: Props) {
  const { answers } = useFormApi();
  const { path } = pathOfWayIn(wayIn);
  const field = fieldAt(form, path);
  const plate = barePlate(readAnswer(answers, path));
  const looked = field?.kind === 'vehicle_lookup' && plate !== '';
  useSettled(!looked && waits, onSettled);
  if (!looked) return null;
  return <Shown key={plate} field={field} path={path} waits={waits} onSettled={onSettled} />;
}

function useSettled(settled: boolean, onSettled: () => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onSettled` is a new function at each render
  useEffect(() => {
    if (settled) onSettled();
  }, [settled]);
}

interface ShownProps {
  field: Field;
  path: string;
  waits: boolean;
  onSettled: () => void;
}

function Shown({ field, path, waits, onSettled }: ShownProps) {
  const { phase, plate, known, fault, answer } = useVehicleLookUp(field, path);
  const settled = phase === 'known' || phase === 'typed' || fault !== null;
  useSettled(settled && waits, onSettled);
  const asked = phase === 'question' && known?.vehicle ? known.vehicle : null;
  const failed = phase === 'typed' && known?.vehicle === null;
  const line =
    phase === 'asking'
      ? 'Looking for your vehicle…'
      : failed
        ? `We couldn't find the details of ${writtenPlate(plate)}. We ask you for them on the next step.`
        : null;
  useAnnounce(asked ? `Is this your vehicle? ${vehicleInWords(asked)}` : line);
  const found = known?.vehicle && (phase === 'question' || phase === 'known') && known.vehicle;
  if (!line && !found) return null;
  return (
    <div className={classes.wayIn} data-phase={phase}>
      {line && <p className={classes.line}>{line}</p>}
      {found && (
        <VehicleFound
          field={field}
          plate={plate}
          vehicle={found}
          recognised={phase === 'known'}
          onAnswer={answer}
        />
      )}
    </div>
  );
}
