import { ActionIcon, Popover, TextInput } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { firstPart } from '../../../lib/dates/dateStyle';
import {
  formatDate,
  formatDayInWords,
  formatLongDate,
  parseFormDate,
} from '../../../lib/dates/dates';
import { Icon } from '../../../ui/icons/Icon';
import type { DateWindow } from '../../validation/dateWindow';
import classes from './DateInput.module.css';
import { exampleDate, exampleDay, normaliseDate } from './dates';

const Calendar = lazy(() => import('./Calendar'));

function onScreen(value: string): string {
  return parseFormDate(value) ? formatDate(value) : value;
}

/** Inserts separators into eight typed digits. Any other text stays. */
function spaceDigits(text: string): string {
  if (firstPart() === 'year') return text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  return text.replace(/^(\d{2})(\d{2})(\d{4})$/, '$1/$2/$3');
}

interface Props {
  id: string;
  name: string;
  label: ReactNode;
  help?: string;
  error: string | undefined;
  /** `dd.MM.yyyy`, or the typed text if it is no date. */
  value: string;
  /** The days of the calendar; null for no calendar. */
  window: DateWindow | null;
  locked?: boolean;
  required?: boolean;
  autoComplete?: string;
  onChange: (value: string) => void;
  onLeave: () => void;
  /** The content below the input. */
  children?: ReactNode;
}

/**
 * Shows a date in a text input. While the visitor types, the text changes only by separators
 * between eight digits. The value is `dd.MM.yyyy` if the text is a date.
 */
export function DateInput(props: Props) {
  const { id, name, value, window, locked, onChange } = props;
  const [typing, setTyping] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const date = parseFormDate(value);

  const type = (text: string) => {
    setTyping(spaceDigits(text));
    onChange(normaliseDate(text));
  };

  return (
    <div data-rows>
      <TextInput
        id={id}
        name={name}
        label={props.label}
        description={
          props.help ?? `For example ${exampleDate()} or ${formatDayInWords(exampleDay())}`
        }
        error={props.error}
        value={typing ?? onScreen(value)}
        disabled={locked}
        autoComplete={props.autoComplete ?? 'off'}
        aria-required={props.required || undefined}
        styles={{ wrapper: { maxWidth: '16rem' } }}
        rightSectionWidth={52}
        rightSectionPointerEvents="all"
        rightSection={
          window && (
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
                  aria-describedby={`${id}-label`}
                  onClick={() => setOpen(!open)}
                >
                  <Icon name="calendar" size={22} />
                </ActionIcon>
              </Popover.Target>
              <Popover.Dropdown>
                <Suspense fallback={<div className="hint">Please wait...</div>}>
                  <Calendar
                    date={date}
                    window={window}
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
          props.onLeave();
        }}
      />
      <div>
        {date && window && <div className={`hint ${classes.echo}`}>{formatLongDate(date)}</div>}
        {props.children}
      </div>
    </div>
  );
}
