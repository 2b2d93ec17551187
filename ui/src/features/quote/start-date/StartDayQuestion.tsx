import { Button, Group } from '@mantine/core';
import { placeOf } from '../../../form/answers/answers';
import { instanceTitle } from '../../../form/validation/errors';
import { formatDate, formatLongDate, toFormDate } from '../../../lib/dates/dates';
import type { Journey } from '../journey/useJourney';
import { START_DAY_ID } from './useStartDay';

/** Asks for another start day if the chosen start day is no longer possible. */
export function StartDayQuestion({ journey }: { journey: Journey }) {
  const { question, api, open } = journey;
  if (!question) return null;
  const { path, day, earliest: nextDay } = question;
  const { dataset: identifier, index } = placeOf(path);
  const dataset = api.form.datasets.find((each) => each.identifier === identifier);
  const card = dataset && index !== undefined ? `${instanceTitle(dataset, index)}: ` : '';
  const passedText = `${card}Cover can no longer start on ${formatLongDate(day)}`;
  return (
    <div id={START_DAY_ID} tabIndex={-1} role="alert" className="strip screenOnly">
      <p>
        {nextDay
          ? `${passedText}: may it start on ${formatLongDate(nextDay)} instead?`
          : `${passedText}: please choose another day.`}
      </p>
      <Group gap="xs">
        {nextDay && (
          <Button size="sm" onClick={() => api.change(path, toFormDate(nextDay))}>
            Start on {formatDate(nextDay)}
          </Button>
        )}
        <Button size="sm" variant="default" onClick={() => open(path)}>
          Choose another day
        </Button>
      </Group>
    </div>
  );
}
