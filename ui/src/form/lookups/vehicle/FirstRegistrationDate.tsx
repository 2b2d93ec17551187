import { Button, NativeSelect } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  formatDate,
  formatMonth,
  formatMonths,
  monthsBetween,
  parseFormDate,
  parseIsoDate,
  toFormDate,
} from '../../../lib/dates/dates';
import { LinkButton } from '../../../ui/basics/LinkButton';
import { Icon } from '../../../ui/icons/Icon';
import { isMissing } from '../../conditions/conditions';
import { asText, ErrorText, FieldLabel, type FieldProps, WhyWeAsk } from '../../fields/shared';
import { controlId, useFormApi } from '../../state/FormContext';
import type { Field, PlateAge } from '../../types';
import classes from '../LookUp.module.css';
import { datePrecision, fieldsBeside, isFirstOfMonth, isRecognised } from './datePrecision';
import styles from './FirstRegistrationDate.module.css';
import { usePlateAge } from './usePlateAge';
import { cardOf, lookUpOf, normalisePlate, sameMonth, valuesFromVehicle } from './vehicle';

/**
 * The visitor's answer for the date. `ask`: none yet, the form asks whether the plate's period is
 * right. `month`: a month of the period. `confirmed`: the whole period. `record`: the month in the
 * vehicle's record. `date`: a typed date. `restored`: a stored answer, until the form knows the period.
 */
type DateMode = 'ask' | 'month' | 'confirmed' | 'record' | 'date' | 'restored';

function restoredMode(
  value: FieldProps['value'],
  age: PlateAge | null,
  recognised: boolean,
): DateMode {
  const agreed = datePrecision(asText(value), age, recognised);
  if (agreed === 'period') return 'confirmed';
  if (agreed === 'month' && age) return age.matters ? 'month' : 'record';
  return 'date';
}

interface Props extends FieldProps {
  mark: { field: Field; path: string };
  /** The input for a typed date. */
  children: ReactNode;
}

/**
 * Asks for the date of first registration. If the plate has a period, asks for the period or a
 * month. If not, shows the input for a date. A month is stored as its first day.
 */
export function FirstRegistrationDate(props: Props) {
  const { field, path, value, error, onChange, mark, children } = props;
  const { form, answers, change, setLookup } = useFormApi();
  const own = cardOf(answers, mark.path);
  const plate = own[mark.field.name];
  const lookUp = lookUpOf(answers, mark.path, plate);
  const [mode, setMode] = useState<DateMode>(() => {
    if (isMissing(value)) return lookUp?.isDateTyped ? 'date' : 'ask';
    return isFirstOfMonth(value) ? 'restored' : 'date';
  });
  const [confirmedPlate, setConfirmedPlate] = useState(
    mode === 'restored' ? normalisePlate(plate) : '',
  );
  const age = usePlateAge(mode === 'date' ? null : mark.path, plate);
  const id = controlId(path);

  // Finds the mode in which the visitor gave a stored answer.
  const recognised = isRecognised(mark.field, own, fieldsBeside(form, mark.path), lookUp?.answer);
  const restored =
    mode === 'restored' && age !== undefined ? restoredMode(value, age, recognised) : null;
  useEffect(() => {
    if (restored) setMode(restored);
  }, [restored]);

  // Another plate has another period.
  const outdated =
    ['confirmed', 'month', 'record'].includes(mode) && confirmedPlate !== normalisePlate(plate);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the plate is another one
  useEffect(() => {
    if (!outdated) return;
    setMode('ask');
    onChange(null);
  }, [outdated]);

  const record =
    lookUp?.vehicle && lookUp.answer === 'yes' ? valuesFromVehicle(mark.field, lookUp.vehicle) : {};
  const recorded = record[field.name];
  const date = parseFormDate(asText(value));
  if (lookUp && typeof recorded === 'string' && date && !sameMonth(recorded, value)) {
    const month = parseFormDate(recorded);
    return (
      <fieldset className={styles.confirmed} aria-describedby={error && `${id}-error`}>
        <legend>Which is right?</legend>
        <p>
          You told us {formatDate(date)}. The records say {month && formatMonth(month)}.
        </p>
        <div className={classes.answers}>
          <Button id={id} onClick={() => onChange(recorded)}>
            {month && formatMonth(month)}
          </Button>
          <Button
            variant="default"
            onClick={() => {
              setLookup(mark.path, { ...lookUp, answer: 'no' });
              change(path, value ?? null);
              setMode('date');
            }}
          >
            {formatDate(date)}, as I typed
          </Button>
        </div>
        {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      </fieldset>
    );
  }

  const from = parseIsoDate(age?.from);
  const lastDate = parseIsoDate(age?.until);
  if (mode === 'date' || mode === 'restored' || !age || !from || !lastDate) {
    return age === undefined || restored ? <LoadingNote id={id} /> : children;
  }

  const typeIt = () => {
    setMode('date');
    if (lookUp) setLookup(mark.path, { ...lookUp, isDateTyped: true });
    if (mode !== 'ask') onChange(null);
    requestAnimationFrame(() => document.getElementById(id)?.focus());
  };
  const otherDateButton = (text: string) => (
    <LinkButton size="sm" className={classes.other} onClick={typeIt}>
      {text}
    </LinkButton>
  );
  const period = mode === 'record' && date ? formatMonth(date) : formatMonths(from, lastDate);
  const isConfirmed =
    mode === 'confirmed' || mode === 'record' || (mode === 'ask' && !isMissing(value));
  if (mode === 'month') {
    return (
      <div>
        <NativeSelect
          id={id}
          name={path}
          label={<FieldLabel field={field} />}
          description={field.help ? `The month is enough. ${field.help}` : 'The month is enough.'}
          error={error}
          value={asText(value)}
          styles={{ wrapper: { maxWidth: '16rem' } }}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        >
          <option value="">Choose the month…</option>
          {monthsBetween(from, lastDate).map((month) => (
            <option key={toFormDate(month)} value={toFormDate({ ...month, day: 1 })}>
              {formatMonth(month)}
            </option>
          ))}
        </NativeSelect>
        {otherDateButton('It was in another month')}
        <WhyWeAsk field={field} />
      </div>
    );
  }
  if (isConfirmed) {
    return (
      <div className={styles.confirmed}>
        <p id={id} tabIndex={-1} className="iconLine">
          <Icon name="check" size={20} /> First registered {period}
        </p>
        {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
        {otherDateButton('Change the date')}
      </div>
    );
  }
  const yes = () => {
    setConfirmedPlate(normalisePlate(plate));
    if (age.matters) setMode('month');
    else {
      onChange(toFormDate(from));
      setMode('confirmed');
    }
    requestAnimationFrame(() => document.getElementById(id)?.focus());
  };
  return (
    <fieldset className={styles.confirmed} aria-describedby={error && `${id}-error`}>
      <legend>First registered {period}?</legend>
      <p>That is what the plate tells.</p>
      <div className={classes.answers}>
        <Button id={id} variant="default" onClick={yes}>
          Yes
        </Button>
        <Button variant="default" onClick={typeIt}>
          No, I'll type the date
        </Button>
      </div>
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
    </fieldset>
  );
}

/**
 * Shows a note until the question is known. When the question replaces a note that has the focus, the
 * question gets the focus.
 */
function LoadingNote({ id }: { id: string }) {
  const noteRef = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(
    () => () => {
      if (document.activeElement !== noteRef.current) return;
      requestAnimationFrame(() => document.getElementById(id)?.focus());
    },
    [id],
  );
  return (
    <p id={id} ref={noteRef} tabIndex={-1} className={`hint ${classes.line}`}>
      Please wait…
    </p>
  );
}
