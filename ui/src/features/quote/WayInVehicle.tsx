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

/** The vehicle whose registration was typed on the first page, above the prices that it changes. */
export default function WayInVehicle({ wayIn, form }: { wayIn: WayIn; form: Form }) {
  const { answers } = useFormApi();
  const { path } = pathOfWayIn(wayIn);
  const field = fieldAt(form, path);
  const plate = barePlate(readAnswer(answers, path));
  if (field?.kind !== 'vehicle_lookup' || plate === '') return null;
  return <Shown key={plate} field={field} path={path} />;
}

function Shown({ field, path }: { field: Field; path: string }) {
  const { phase, plate, known, answer } = useVehicleLookUp(field, path);
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
