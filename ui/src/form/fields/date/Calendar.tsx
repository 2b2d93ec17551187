import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/en-gb';
import { DatePicker, DatesProvider } from '@mantine/dates';
import { type PlainDate, parseIsoDate, toFormDate, toIsoDate } from '../../../lib/dates/dates';
import type { DateWindow } from '../../validation/dateWindow';
import classes from './Calendar.module.css';

interface Props {
  date: PlainDate | null;
  window: DateWindow;
  onPick: (date: string) => void;
}

const LABELS = {
  nextMonth: 'Next month',
  previousMonth: 'Previous month',
  nextYear: 'Next year',
  previousYear: 'Previous year',
  nextDecade: 'Next decade',
  previousDecade: 'Previous decade',
};

/**
 * Shows the calendar. Its code is a separate chunk, which is loaded when a visitor opens the
 * calendar.
 */
export default function Calendar({ date, window, onPick }: Props) {
  const shown = date ?? window.from ?? window.to;
  return (
    <DatesProvider settings={{ locale: 'en-gb', firstDayOfWeek: 1 }}>
      <DatePicker
        size="sm"
        withCellSpacing={false}
        classNames={{
          day: classes.day,
          calendarHeaderControl: classes.control,
          calendarHeaderLevel: classes.level,
          monthsListControl: classes.list,
          yearsListControl: classes.list,
        }}
        weekendDays={[]}
        hideOutsideDates
        ariaLabels={LABELS}
        value={date ? toIsoDate(date) : null}
        defaultDate={shown ? toIsoDate(shown) : undefined}
        minDate={window.from ? toIsoDate(window.from) : undefined}
        maxDate={window.to ? toIsoDate(window.to) : undefined}
        onChange={(picked) => {
          const chosen = parseIsoDate(picked);
          if (chosen) onPick(toFormDate(chosen));
        }}
      />
    </DatesProvider>
  );
}
