import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { DATE_FORMATS, type DateStyle, dateStyle, showDates } from '../../../lib/dates/dateStyle';
import { formatLongDate, inFormat, type PlainDate } from '../../../lib/dates/dates';
import { formatAmount } from '../../../lib/format/money';
import { showSnackbar } from '../../../lib/messages/snackbar';
import { chooseDates, preferencesOf } from '../../../lib/storage/preferences';
import { useSignal } from '../../../lib/useSignal';
import { Panel } from '../../../ui/basics/Panel';
import { ChevronIcon } from '../../../ui/icons/icons';
import { DetailsGrid } from './DetailsGrid';

/** The locales to choose from. All are English, because the website is in English. */
const LOCALES = [
  { value: 'en-GB', label: 'English (United Kingdom)' },
  { value: 'en-IE', label: 'English (Ireland)' },
  { value: 'en-US', label: 'English (United States)' },
  { value: 'en-IN', label: 'English (India)' },
];

/** A day that each date format writes differently. */
const EXAMPLE: PlainDate = { year: 2026, month: 11, day: 27 };

const NOT_KEPT = 'Your browser did not keep this choice. It counts until you leave this page.';

/** Lets this person choose the format of dates and amounts in this browser. */
export function DateChoice({ user }: { user: string }) {
  const style = useSignal(dateStyle);
  const [money, setMoney] = useState(preferencesOf(user).money);

  const choose = (change: Partial<DateStyle>) => {
    const chosen = { ...style, ...change };
    const isStored = chooseDates(user, chosen);
    setMoney({ ...money, locale: chosen.locale });
    showDates(chosen);
    if (!isStored) showSnackbar(NOT_KEPT);
  };

  return (
    <Panel title="Dates and amounts">
      <DetailsGrid>
        <NativeSelect
          label="Date format"
          description="On this website, in this browser. Letters and documents keep theirs."
          rightSection={<ChevronIcon />}
          value={style.format}
          data={DATE_FORMATS.map((value) => ({ value, label: inFormat(EXAMPLE, value) }))}
          onChange={({ currentTarget: { value } }) => {
            const format = DATE_FORMATS.find((each) => each === value);
            if (format) choose({ format });
          }}
        />
        <NativeSelect
          label="Language and country"
          description="Decides the order of a date in words, and how large amounts are set apart."
          rightSection={<ChevronIcon />}
          value={style.locale}
          data={LOCALES}
          onChange={({ currentTarget: { value } }) => choose({ locale: value })}
        />
        <Text role="status" c="dimmed" data-wide>
          For example {inFormat(EXAMPLE, style.format)}, {formatLongDate(EXAMPLE)} and{' '}
          {formatAmount(123_456.5, money.currency, money)}
        </Text>
      </DetailsGrid>
    </Panel>
  );
}
