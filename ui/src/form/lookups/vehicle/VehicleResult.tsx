import { Button, Title } from '@mantine/core';
import { useId } from 'react';
import { formatDate, formatMonth, parseIsoDate } from '../../../lib/dates/dates';
import { formatRegistration } from '../../../lib/format/uk';
import { Facts } from '../../../ui/basics/Facts';
import { Icon } from '../../../ui/icons/Icon';
import type { Field, KnownVehicle, VehicleLookUp } from '../../types';
import classes from '../LookUp.module.css';
import styles from './VehicleResult.module.css';
import type { Phase } from './vehicle';

/** Formats "FORD" as "Ford". Words of up to three letters, such as "BMW", do not change. */
function inSentence(text: string): string {
  return text.replace(/\p{Lu}{4,}/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase());
}

/** Formats "RED" as "Red". */
function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}

/** Returns the month of a vehicle's first registration in words, or null if it is unknown. */
function monthOf({ first_registered }: KnownVehicle): string | null {
  const month = parseIsoDate(`${first_registered ?? ''}-01`);
  return month && formatMonth(month);
}

/** Describes a vehicle in one line, for reading aloud. */
export function vehicleInWords(vehicle: KnownVehicle): string {
  const { make, model, colour, fuel } = vehicle;
  const name = [make, model].flatMap((text) => (text ? [inSentence(text)] : [])).join(' ');
  const month = monthOf(vehicle);
  return [name, colour?.toLowerCase(), fuel?.toLowerCase(), month && `first registered in ${month}`]
    .filter(Boolean)
    .join(', ');
}

/**
 * Returns the text of a look-up that is running or has found no vehicle, or null in any other case.
 */
export function lookUpText(
  phase: Phase,
  lookUp: VehicleLookUp | null,
  plate: string,
): string | null {
  if (phase === 'asking') return 'Looking for your vehicle…';
  if (phase !== 'typed' || lookUp?.vehicle !== null) return null;
  return lookUp.unknown
    ? `We couldn't find ${formatRegistration(plate)}. Check it, or type the details below.`
    : "We couldn't look up your vehicle just now. Please type the details below.";
}

/** Returns the product's notes on an expired MOT, and on a vehicle that is not taxed. */
function notesOn(field: Field, { mot, tax }: KnownVehicle): string[] {
  const notes = field.lookup?.notes;
  const taxStatuses: { text: string | undefined; until: string | null }[] = [];
  if (mot?.status === 'expired') taxStatuses.push({ text: notes?.mot, until: mot.until });
  if (tax && tax.status !== 'taxed') taxStatuses.push({ text: notes?.tax, until: tax.until });
  return taxStatuses.flatMap(({ text, until }) =>
    text ? [text.replaceAll('{until}', until ? formatDate(until) : 'a day that has passed')] : [],
  );
}

interface Props {
  vehicle: KnownVehicle;
  field: Field;
  plate: string;
  /** Whether the visitor has confirmed the vehicle. */
  recognised: boolean;
  onAnswer: (answer: 'yes' | 'no') => void;
}

/**
 * Shows the vehicle of a look-up. Asks whether it is the visitor's, until the visitor has confirmed
 * it.
 */
export function VehicleResult({ field, vehicle, plate, recognised, onAnswer }: Props) {
  const id = useId();
  const details: [string, string | null | undefined][] = [
    ['Make', vehicle.make && inSentence(vehicle.make)],
    ['Model', vehicle.model && inSentence(vehicle.model)],
    ['Colour', vehicle.colour && capitalised(vehicle.colour)],
    ['Fuel', vehicle.fuel && inSentence(vehicle.fuel)],
    ['First registered', monthOf(vehicle)],
  ];
  return (
    <section
      className={classes.found}
      aria-labelledby={id}
      data-recognised={recognised || undefined}
    >
      <Title order={4} size="h3" id={id} className="iconLine">
        {recognised ? (
          <>
            <Icon name="check" size={20} /> Your vehicle
          </>
        ) : (
          'Is this your vehicle?'
        )}
      </Title>
      <Facts rows={details} className={styles.details} />
      {notesOn(field, vehicle).map((note) => (
        <p key={note} className={`note iconLine ${classes.line}`}>
          <Icon name="info" size={20} />
          <span>{note}</span>
        </p>
      ))}
      {vehicle.sample && (
        <p className={`hint ${classes.line}`}>
          This is sample data: what we say of {formatRegistration(plate)} is made up.
        </p>
      )}
      <div className={classes.answers}>
        {recognised ? (
          <Button variant="subtle" size="sm" onClick={() => onAnswer('no')}>
            Not your vehicle? Change it
          </Button>
        ) : (
          <>
            <Button onClick={() => onAnswer('yes')}>Yes, it is</Button>
            <Button variant="default" onClick={() => onAnswer('no')}>
              No, I'll type it myself
            </Button>
          </>
        )}
      </div>
    </section>
  );
}
