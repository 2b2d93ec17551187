import { Button } from '@mantine/core';
import { placeOf } from '../../../form/answers/answers';
import { cardKey } from '../../../form/cards/useOpenCards';
import { WithPhone } from '../../../form/fields/DeclineNotice';
import { datasetOf } from '../../../form/steps/steps';
import { instanceTitle } from '../../../form/validation/errors';
import { StepNotice } from '../steps/StepNotice';
import type { Journey } from './useJourney';

/**
 * Shows the refusals of answers that are not on the screen: on another step, or in a closed card.
 * `except` is the path of an answer whose refusal the page already shows.
 */
export function HiddenDeclineNotices({ journey, except }: { journey: Journey; except?: string }) {
  const { api, cards, current, open } = journey;
  return Object.entries(api.decisions).flatMap(([path, text]) => {
    if (path === except) return [];
    const dataset = api.form.datasets.find((each) => each.identifier === datasetOf(path, api.form));
    if (!dataset) return [];
    const { index } = placeOf(path);
    const isOnStep = current?.datasets.includes(dataset.identifier) ?? false;
    if (isOnStep && cards.isOpen(cardKey(dataset.identifier, index))) return [];
    const card = index === undefined ? '' : `${instanceTitle(dataset, index)}: `;
    return [
      <StepNotice key={path} text={<WithPhone text={`${card}${text}`} />}>
        <Button variant="default" size="sm" onClick={() => open(path)}>
          Check this answer
        </Button>
      </StepNotice>,
    ];
  });
}
