import { Stack } from '@mantine/core';
import { ChoiceTiles } from '../../form/fields/ChoiceTiles';
import { DateInput } from '../../form/fields/date/DateInput';
import { formatDate } from '../../lib/dates/dates';
import type { DateRange, StartChoice } from './startChoice';

interface StartAnswer {
  label: string;
  description: string;
}

interface Props {
  /** The id of the date input, or of the first choice while there is no date input. */
  id: string;
  question: string;
  prominent?: boolean;
  now: StartAnswer;
  laterAnswer: StartAnswer;
  /** The label of the date input. */
  label: string;
  days: DateRange;
  choice: StartChoice;
  error: string | undefined;
  onChange: (choice: StartChoice) => void;
  /** Called when the visitor leaves the date input. */
  onLeave: () => void;
}

/** Asks whether the day is immediate or later. For a later day, asks for the date. */
export function DayChoice(props: Props) {
  const { id, days, choice, onChange } = props;
  return (
    <Stack gap="md">
      <ChoiceTiles
        id={choice.isLater ? `${id}-when` : id}
        name={`${id}-when`}
        legend={props.question}
        prominent={props.prominent}
        choices={[
          { value: 'now', ...props.now },
          { value: 'later', ...props.laterAnswer },
        ]}
        value={choice.isLater ? 'later' : 'now'}
        onChange={(value) => onChange({ ...choice, isLater: value === 'later' })}
      />
      {choice.isLater && (
        <DateInput
          id={id}
          name={id}
          label={props.label}
          help={`From ${formatDate(days.from)} to ${formatDate(days.to)}`}
          error={props.error}
          value={choice.text}
          window={days}
          required
          onChange={(text) => onChange({ isLater: true, text })}
          onLeave={props.onLeave}
        />
      )}
    </Stack>
  );
}
