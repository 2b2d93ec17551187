import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { exampleDay } from '../../../form/fields/date/dates';
import { DATE_FORMATS, type DateStyle, dateStyle, showDates } from '../../../lib/dates/dateStyle';
import { formatLongDate, inFormat } from '../../../lib/dates/dates';
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

const NOT_KEPT = 'Your browser did not keep this choice. It counts until you leave this page.';

/** Lets this person choose the format of dates and amounts in this browser. */
export function DateChoice({ user }: { user: string }) {
  const style = useSignal(dateStyle);
  // Each date format writes this day differently.
  const example = exampleDay();
  const [money, setMoney] = useState(preferencesOf(user).money);

  const choose = (change: Partial<DateStyle>) => {
    const chosen = { ...style, ...change };
    const isStored = chooseDates(user, chosen);
    setMoney({ ...money, locale: chosen.locale });
    showDates(chosen);
    if (!isStored) showSnackbar(NOT_KEPT);
  };

  return (
    <Panel title="Dates and amounts" className="screenOnly">
      <DetailsGrid>
        <NativeSelect
          label="Date format"
          description="On this website, in this browser. Letters and documents keep theirs."
          rightSection={<ChevronIcon />}
          value={style.format}
          data={DATE_FORMATS.map((value) => ({ value, label: inFormat(example, value) }))}
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
          For example {inFormat(example, style.format)}, {formatLongDate(example)} and{' '}
          {formatAmount(123_456.5, money.currency, money)}
        </Text>
      </DetailsGrid>
    </Panel>
  );
}
