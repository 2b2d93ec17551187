import type { Dataset } from '../types';
import { Repeatable } from './Repeatable';
import { Section, type SectionPart } from './Section';
import type { OpenCards } from './useOpenCards';

interface Props {
  dataset: Dataset;
  cards: OpenCards;
  /** Whether the card of a single dataset is always open. */
  fixed?: boolean;
  sectionPart?: SectionPart;
  /** Returns the text of an instance that the card shows as one line, or null. */
  lineOf?: (index: number) => string | null;
  onToggle: (key: string, open: boolean) => void;
  onContinue?: () => void;
}

/** Shows a single dataset as one card, and a repeatable dataset as a card for each instance. */
export function DatasetCard({
  dataset,
  cards,
  fixed = false,
  sectionPart: part,
  lineOf,
  onToggle,
  onContinue,
}: Props) {
  if (dataset.multi) {
    return (
      <Repeatable
        dataset={dataset}
        cards={cards}
        lineOf={lineOf}
        onToggle={onToggle}
        onContinue={onContinue}
      />
    );
  }
  const { identifier } = dataset;
  const toggles = !fixed && !cards.isNew(identifier);
  return (
    <Section
      dataset={dataset}
      open={fixed || cards.isOpen(identifier)}
      part={part}
      onToggle={toggles ? (open) => onToggle(identifier, open) : undefined}
      onContinue={onContinue}
    />
  );
}
