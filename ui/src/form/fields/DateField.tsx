import { ActionIcon, Popover, TextInput } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Icon } from '../../components/icons/Icon';
import { formatDate, formatLongDate, parseFormDate } from '../../lib/dates';
import { keepDate } from '../dates';
import { controlId, useFormApi } from '../FormContext';
import type { Field } from '../types';
import { dateWindow, lookUpAt } from '../validate';
import classes from './Field.module.css';
import { asText, FieldLabel, type FieldProps, WhyWeAsk } from './shared';

const Calendar = lazy(() => import('./Calendar'));

const HINT = 'For example 27/3/2026 or 27 March 2026';

function onScreen(value: string): string {
  return parseFormDate(value) ? formatDate(value) : value;
}

/** Whether only past days are allowed, as for a birthday. Such a field has no calendar. */
function isPast(field: Field): boolean {
  const limit = field.validation.max_date;
  return limit?.from === 'today' && limit.days <= 0;
}

/**
 * A date in a text box. The text stays as typed until the field is left; the answer becomes
 * `dd.MM.yyyy` as soon as the text is a date.
 */
export function DateField({ field, path, value, error, onChange, onLeave }: FieldProps) {
  const { state } = useFormApi();
  const [typing, setTyping] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const answer = asText(value);
  const date = parseFormDate(answer);
  const calendar = !field.locked && !isPast(field);

  const type = (text: string) => {
    const digits = /^(\d{2})(\d{2})(\d{4})$/.exec(text);
    setTyping(digits ? `${digits[1]}/${digits[2]}/${digits[3]}` : text);
    onChange(keepDate(text));
  };

  return (
    <div data-rows>
      <TextInput
        id={controlId(path)}
        name={path}
        label={<FieldLabel field={field} />}
        description={field.help ?? HINT}
        error={error}
        value={typing ?? onScreen(answer)}
        disabled={field.locked}
        autoComplete={field.autocomplete ?? 'off'}
        aria-required={field.required || undefined}
        styles={{ wrapper: { maxWidth: '16rem' } }}
        rightSectionWidth={52}
        rightSectionPointerEvents="all"
        rightSection={
          calendar && (
            <Popover
              opened={open}
              onChange={setOpen}
              position="bottom-end"
              shadow="md"
              trapFocus
              returnFocus
              withinPortal
            >
              <Popover.Target>
                <ActionIcon
                  variant="subtle"
                  size={44}
                  aria-label="Open the calendar"
                  aria-describedby={`${controlId(path)}-label`}
                  onClick={() => setOpen(!open)}
                >
                  <Icon name="calendar" size={22} />
                </ActionIcon>
              </Popover.Target>
              <Popover.Dropdown>
                <Suspense fallback={<div className={classes.echo}>Please wait...</div>}>
                  <Calendar
                    date={date}
                    window={dateWindow(field, lookUpAt(state, path))}
                    onPick={(picked) => {
                      setTyping(null);
                      onChange(picked);
                      setOpen(false);
                    }}
                  />
                </Suspense>
              </Popover.Dropdown>
            </Popover>
          )
        }
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={() => {
          setTyping(null);
          onLeave();
        }}
      />
      <div>
        {date && calendar && <div className={classes.echo}>{formatLongDate(date)}</div>}
        <WhyWeAsk field={field} />
      </div>
    </div>
  );
}
