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
  barePlate,
  cardOf,
  filledFields,
  givenBy,
  lookUpOf,
  type Phase,
  phaseOf,
} from './vehicle';

/** What the server answers in time: a vehicle, that it knows none, or what is wrong with the mark. */
type LookUpResult =
  | { vehicle: KnownVehicle }
  | { vehicle: null; unknown?: true }
  | { fault: string };

/** Why a text can't be looked up. */
const NO_PLATE = 'Enter a UK registration number such as AB12 CDE';

/** The answers that a look-up may give, to be compared. */
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
    return { vehicle: barePlate(vehicle?.registration) === plate ? vehicle : null };
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
    if (status === 422) {
      return { fault: (error as ApiError).errors.registration?.[0] ?? NO_PLATE };
    }
    // Whatever else went wrong, the visitor types the details instead.
    return status === 404 ? { vehicle: null, unknown: true } : { vehicle: null };
  }
}

/** The look-up of the registration at a path, and what is done with its answer. */
export function useVehicleLookUp(field: Field, path: string) {
  const { answers, errors, change, setLookup } = useFormApi();
  const own = cardOf(answers, path);
  const plate = barePlate(own[field.name]);
  const known = lookUpOf(answers, path, plate);
  const before = answers.lookups?.[path];
  const empty = allEmpty(field, own);
  const pathTo = (name: string) => pathOf({ ...placeOf(path), field: name });
  const faulty = filledFields(field).some((name) => errors[pathTo(name)] !== undefined);

  const [first] = useState(empty ? null : plate);
  const [asking, setAsking] = useState<string | null>(null);
  const running = useRef<{ of: string; end: () => void } | null>(null);
  // What the answer is compared with when it comes.
  const details = detailsOf(field, own);
  const now = useRef({ path, plate, details });
  now.current = { path, plate, details };
  const [fault, setFault] = useState<{ of: string; text: string } | null>(null);

  const stop = () => {
    running.current?.end();
    running.current = null;
    setAsking(null);
  };

  /** Looks the registration up that is typed now, unless that was done or can't be. */
  const look = async () => {
    if (known || running.current?.of === plate) return;
    stop();
    if (!isRegistration(plate)) return setFault({ of: plate, text: NO_PLATE });
    // What the last registration's vehicle answered is not true of this one.
    const given = before?.vehicle ? givenBy(field, before.vehicle) : {};
    const outdated = Object.keys(given).filter((name) => own[name] === given[name]);
    for (const name of outdated) change(pathTo(name), null);
    setFault(null);
    const deadline = lookUpDeadline();
    const { end } = deadline;
    const mine = { of: plate, end };
    running.current = mine;
    setAsking(plate);
    const begun = detailsOf(field, {
      ...own,
      ...Object.fromEntries(outdated.map((name) => [name, null])),
    });
    const outcome = await ask(plate, deadline);
    // The visitor went on to another registration or another page.
    if (running.current !== mine) return;
    stop();
    if (now.current.plate !== plate) return;
    if ('fault' in outcome) return setFault({ of: plate, text: outcome.fault });
    // Or typed the details meanwhile: those stand.
    const wentOn = now.current.details !== begun;
    setLookup(now.current.path, { of: plate, ...(wentOn ? { vehicle: null } : outcome) });
  };

  // A plate that was typed on another page is looked up when its card is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the card is shown
  useEffect(() => {
    if (plate !== '' && (empty || before?.vehicle)) void look();
    return () => {
      running.current?.end();
      running.current = null;
    };
  }, []);

  const answer = (said: 'yes' | 'no') => {
    if (!known?.vehicle) return;
    const month = field.lookup?.fills.first_registered;
    for (const [name, value] of Object.entries(givenBy(field, known.vehicle))) {
      const typed = name === month && !isMissing(own[name]);
      // Another month that was typed is asked about; a day of the same month is more exact.
      if (said === 'yes' && !typed) change(pathTo(name), value);
      // What only the look-up knew is not true of another vehicle.
      if (said === 'no' && known.answer === 'yes' && own[name] === value)
        change(pathTo(name), null);
    }
    setLookup(path, { ...known, answer: said });
  };

  const phase: Phase =
    asking === plate && plate !== '' ? 'asking' : phaseOf(known, empty && !faulty);
  /** Whether there is anything to look up: not that which was answered before it was shown. */
  const lookable = !known && (phase === 'before' || phase === 'asking' || plate !== first);
  return {
    phase,
    plate,
    known,
    lookable,
    fault: fault?.of === plate ? fault.text : null,
    look,
    answer,
  };
}
