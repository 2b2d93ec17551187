import { Button, NativeSelect } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { LinkButton } from '../../components/basics/LinkButton';
import { Icon } from '../../components/icons/Icon';
import {
  formatDate,
  formatMonth,
  formatMonths,
  monthsBetween,
  parseFormDate,
  parseIsoDate,
  toFormDate,
} from '../../lib/dates';
import { isMissing } from '../conditions';
import { controlId, useFormApi } from '../FormContext';
import { asText, ErrorText, FieldLabel, type FieldProps, WhyWeAsk } from '../fields/shared';
import type { Field, PlateAge } from '../types';
import { agreedAs, fieldsBeside, isFirstOfMonth, isRecognised } from './agreed';
import classes from './LookUp.module.css';
import { usePlateAge } from './usePlateAge';
import { barePlate, cardOf, givenBy, lookUpOf, sameMonth } from './vehicle';

/**
 * How the date is answered: it is asked by the plate's period, by its months, told by the period or by a
 * record, or typed. What is kept from an earlier visit becomes one of these once the period is known.
 */
type Manner = 'ask' | 'month' | 'told' | 'record' | 'date' | 'kept';

function keptAs(value: FieldProps['value'], age: PlateAge | null, recognised: boolean): Manner {
  const agreed = agreedAs(asText(value), age, recognised);
  if (agreed === 'period') return 'told';
  if (agreed === 'month' && age) return age.matters ? 'month' : 'record';
  return 'date';
}

interface Props extends FieldProps {
  mark: { field: Field; path: string };
  /** The box for a date, where a date is typed. */
  children: ReactNode;
}

/**
 * The day of first registration: told by the plate as far as it tells it, else typed. A month counts as
 * its first day.
 */
export function FirstRegistered(props: Props) {
  const { field, path, value, error, onChange, mark, children } = props;
  const { form, answers, change, lookedUp } = useFormApi();
  const own = cardOf(answers, mark.path);
  const plate = own[mark.field.name];
  const known = lookUpOf(answers, mark.path, plate);
  const [manner, setManner] = useState<Manner>(() => {
    if (isMissing(value)) return known?.isDateTyped ? 'date' : 'ask';
    return isFirstOfMonth(value) ? 'kept' : 'date';
  });
  const [toldOf, setToldOf] = useState(manner === 'kept' ? barePlate(plate) : '');
  const age = usePlateAge(manner === 'date' ? null : mark.path, plate);
  const id = controlId(path);

  // What was agreed on an earlier visit is shown as it was then.
  const recognised = isRecognised(mark.field, own, fieldsBeside(form, mark.path), known?.answer);
  const kept = manner === 'kept' && age !== undefined ? keptAs(value, age, recognised) : null;
  useEffect(() => {
    if (kept) setManner(kept);
  }, [kept]);

  // What one plate has told is not true of another.
  const outdated = ['told', 'month', 'record'].includes(manner) && toldOf !== barePlate(plate);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the plate is another one
  useEffect(() => {
    if (!outdated) return;
    setManner('ask');
    onChange(null);
  }, [outdated]);

  const record = known?.vehicle && known.answer === 'yes' ? givenBy(mark.field, known.vehicle) : {};
  const recorded = record[field.name];
  const date = parseFormDate(asText(value));
  if (known && typeof recorded === 'string' && date && !sameMonth(recorded, value)) {
    const month = parseFormDate(recorded);
    return (
      <fieldset className={classes.told} aria-describedby={error && `${id}-error`}>
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
              lookedUp(mark.path, { ...known, answer: 'no' });
              // Said again, so that what was wrong with it is checked again.
              change(path, value ?? null);
              setManner('date');
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
  const until = parseIsoDate(age?.until);
  if (manner === 'date' || manner === 'kept' || !age || !from || !until) {
    return age === undefined || kept ? <Waiting id={id} /> : children;
  }

  const typeIt = () => {
    setManner('date');
    if (known) lookedUp(mark.path, { ...known, isDateTyped: true });
    if (manner !== 'ask') onChange(null);
    requestAnimationFrame(() => document.getElementById(id)?.focus());
  };
  const other = (text: string) => (
    <LinkButton size="sm" className={classes.other} onClick={typeIt}>
      {text}
    </LinkButton>
  );
  const period = manner === 'record' && date ? formatMonth(date) : formatMonths(from, until);
  const told = manner === 'told' || manner === 'record' || (manner === 'ask' && !isMissing(value));
  if (manner === 'month') {
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
          {monthsBetween(from, until).map((month) => (
            <option key={toFormDate(month)} value={toFormDate({ ...month, day: 1 })}>
              {formatMonth(month)}
            </option>
          ))}
        </NativeSelect>
        {other('It was in another month')}
        <WhyWeAsk field={field} />
      </div>
    );
  }
  if (told) {
    return (
      <div className={classes.told}>
        <p id={id} tabIndex={-1} className="iconLine">
          <Icon name="check" size={20} /> First registered {period}
        </p>
        {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
        {other('Change the date')}
      </div>
    );
  }
  const yes = () => {
    setToldOf(barePlate(plate));
    if (age.matters) setManner('month');
    else {
      onChange(toFormDate(from));
      setManner('told');
    }
    requestAnimationFrame(() => document.getElementById(id)?.focus());
  };
  return (
    <fieldset className={classes.told} aria-describedby={error && `${id}-error`}>
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

/** Stands where the answer will be. Whoever is sent to it meanwhile is at the answer once it comes. */
function Waiting({ id }: { id: string }) {
  const here = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(
    () => () => {
      if (document.activeElement !== here.current) return;
      requestAnimationFrame(() => document.getElementById(id)?.focus());
    },
    [id],
  );
  return (
    <p id={id} ref={here} tabIndex={-1} className={`hint ${classes.line}`}>
      Please wait…
    </p>
  );
}
