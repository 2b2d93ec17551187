import { DatasetCard } from '../../../form/cards/DatasetCard';
import type { SectionPart } from '../../../form/cards/Section';
import { cardKeys } from '../../../form/cards/useOpenCards';
import type { Dataset, Step } from '../../../form/types';
import { focusPathSoon } from '../../../form/validation/focusPath';
import type { Journey } from '../journey/useJourney';

interface Props {
  journey: Journey;
  step: Step;
  /**
   * Whether the cards are always open, as on the last step, which has agreements and no details to
   * edit.
   */
  fixed?: boolean;
  /**
   * Limits the cards to those up to a field, or to those after the field. The field's own card is
   * split.
   */
  part?: SectionPart;
}

export function StepCards({ journey, step, fixed = false, part }: Props) {
  const { api, cards, confirmCard } = journey;
  const shown = api.form.datasets.filter(
    (dataset) =>
      step.datasets.includes(dataset.identifier) && api.state.datasets[dataset.identifier]?.visible,
  );

  const toggle = (key: string, open: boolean) => {
    if (open) cards.setOpen(key, true);
    else confirmCard(key);
  };
  const continueFrom = (dataset: Dataset): (() => void) | undefined => {
    const following = shown[shown.indexOf(dataset) + 1];
    if (fixed) return undefined;
    // After the last card comes the next step.
    if (!following) return () => void journey.next();
    return () => {
      if (cardKeys(dataset, api.state).every(confirmCard)) focusPathSoon(following.identifier);
    };
  };

  const split = shown.findIndex(
    (dataset) => !dataset.multi && dataset.fields.some((field) => field.name === part?.field),
  );
  const datasets = shown.filter((_, index) => {
    if (!part || index === split) return true;
    return part.which === 'first' ? index < split : index > split;
  });

  return datasets.map((dataset) => (
    <DatasetCard
      key={dataset.identifier}
      dataset={dataset}
      cards={cards}
      fixed={fixed}
      sectionPart={shown[split] === dataset ? part : undefined}
      onToggle={toggle}
      onContinue={continueFrom(dataset)}
    />
  ));
}
