import { useEffect, useRef, useState } from 'react';
import { ApiError, api } from '../../../api/client';
import { isRegistration } from '../../../lib/format/uk';
import { pathOf, placeOf } from '../../answers/answers';
import { isMissing } from '../../conditions/conditions';
import { useFormApi } from '../../state/FormContext';
import type { Field, KnownVehicle, Values } from '../../types';
import { type Deadline, lookUpDeadline } from '../lookUpTimeout';
import {
  allEmpty,
  cardOf,
  filledFields,
  lookUpOf,
  normalisePlate,
  type Phase,
  phaseOf,
  valuesFromVehicle,
} from './vehicle';

/**
 * The result of a look-up: a vehicle, no vehicle, or an error of the registration. `unknown` means
 * that the server does not know the registration.
 */
type LookUpResult =
  | { vehicle: KnownVehicle }
  | { vehicle: null; unknown?: true }
  | { fault: string };

/** The error for a text that is no registration. */
const NO_PLATE = 'Enter a UK registration number such as AB12 CDE';

/** Returns the answers that a look-up may fill, as a text to compare. */
function detailsOf(field: Field, own: Values): string {
  return JSON.stringify(filledFields(field).map((name) => own[name] ?? null));
}

async function ask(plate: string, { signal, inTime }: Deadline): Promise<LookUpResult> {
  try {
    const vehicle = await inTime(
      api.post('/api/v1/lookup/vehicle', {
        body: { registration: plate },
        signal,
      }),
    );
    return { vehicle: normalisePlate(vehicle?.registration) === plate ? vehicle : null };
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
    if (status === 422) {
      return { fault: (error as ApiError).errors.registration?.[0] ?? NO_PLATE };
    }
    // After these failures the visitor types the details.
    return status === 404 ? { vehicle: null, unknown: true } : { vehicle: null };
  }
}

/** Looks up the registration at a path. Stores the result and the visitor's answer to it. */
export function useVehicleLookUp(field: Field, path: string) {
  const { answers, errors, change, setLookup } = useFormApi();
  const own = cardOf(answers, path);
  const plate = normalisePlate(own[field.name]);
  const lookUp = lookUpOf(answers, path, plate);
  const before = answers.lookups?.[path];
  const empty = allEmpty(field, own);
  const pathTo = (name: string) => pathOf({ ...placeOf(path), field: name });
  const faulty = filledFields(field).some((name) => errors[pathTo(name)] !== undefined);

  const [first] = useState(empty ? null : plate);
  const [pendingPlate, setPendingPlate] = useState<string | null>(null);
  const running = useRef<{ plate: string; end: () => void } | null>(null);
  // The state at the last render, to compare with the state at the request.
  const details = detailsOf(field, own);
  const now = useRef({ path, plate, details });
  now.current = { path, plate, details };
  const [fault, setFault] = useState<{ plate: string; text: string } | null>(null);

  const stop = () => {
    running.current?.end();
    running.current = null;
    setPendingPlate(null);
  };

  /**
   * Looks up the typed registration. Does nothing if the look-up is done or running. Shows an error
   * if the text is no registration.
   */
  const search = async () => {
    if (lookUp || running.current?.plate === plate) return;
    stop();
    if (!isRegistration(plate)) return setFault({ plate: plate, text: NO_PLATE });
    // Removes the answers that came from the last registration's vehicle.
    const earlierValues = before?.vehicle ? valuesFromVehicle(field, before.vehicle) : {};
    const outdated = Object.keys(earlierValues).filter((name) => own[name] === earlierValues[name]);
    for (const name of outdated) change(pathTo(name), null);
    setFault(null);
    const deadline = lookUpDeadline();
    const { end } = deadline;
    const request: NonNullable<typeof running.current> = { plate: plate, end };
    running.current = request;
    setPendingPlate(plate);
    const detailsBefore = detailsOf(field, {
      ...own,
      ...Object.fromEntries(outdated.map((name) => [name, null])),
    });
    const outcome = await ask(plate, deadline);
    // A newer look-up has started, or the card is no longer shown.
    if (running.current !== request) return;
    stop();
    if (now.current.plate !== plate) return;
    if ('fault' in outcome) return setFault({ plate: plate, text: outcome.fault });
    // Details that the visitor typed during the look-up stay.
    const hasChanged = now.current.details !== detailsBefore;
    setLookup(now.current.path, { plate: plate, ...(hasChanged ? { vehicle: null } : outcome) });
  };

  // A plate that was typed on another page is looked up when its card is first shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the card is shown
  useEffect(() => {
    if (plate !== '' && (empty || before?.vehicle)) void search();
    return () => {
      running.current?.end();
      running.current = null;
    };
  }, []);

  const answer = (choice: 'yes' | 'no') => {
    if (!lookUp?.vehicle) return;
    const month = field.lookup?.fills.first_registered;
    for (const [name, value] of Object.entries(valuesFromVehicle(field, lookUp.vehicle))) {
      const typed = name === month && !isMissing(own[name]);
      // A typed date stays. A day of the same month is more exact, and another month needs a
      // confirmation.
      if (choice === 'yes' && !typed) change(pathTo(name), value);
      // Answers that only the look-up gave do not fit another vehicle.
      if (choice === 'no' && lookUp.answer === 'yes' && own[name] === value)
        change(pathTo(name), null);
    }
    setLookup(path, { ...lookUp, answer: choice });
  };

  const phase: Phase =
    pendingPlate === plate && plate !== '' ? 'asking' : phaseOf(lookUp, empty && !faulty);
  /**
   * Whether to offer the look-up. A registration whose details were answered before the first
   * render needs no look-up.
   */
  const lookable = !lookUp && (phase === 'before' || phase === 'asking' || plate !== first);
  return {
    phase,
    plate,
    lookUp,
    lookable,
    fault: fault?.plate === plate ? fault.text : null,
    look: search,
    answer,
  };
}
