import { useCallback, useState } from 'react';
import { placeOf } from '../answers/answers';
import type { FormState } from '../conditions/visibility';
import { datasetOf } from '../steps/steps';
import type { Dataset, Errors, Form } from '../types';

/** Returns the key of the card of a single dataset, or of one instance of a repeatable dataset. */
export function cardKey(dataset: string, index?: number): string {
  return index === undefined ? dataset : `${dataset}.${index}`;
}

/** Returns the keys of all cards of a dataset. */
export function cardKeys({ identifier, multi }: Dataset, { datasets }: FormState): string[] {
  if (!multi) return [cardKey(identifier)];
  return (datasets[identifier]?.instances ?? []).map((_, index) => cardKey(identifier, index));
}

export interface OpenCards {
  anyOpen: boolean;
  isOpen: (key: string) => boolean;
  /**
   * Whether a card of new answers is open and has not been closed yet. Such a card has no button
   * that closes it.
   */
  isNew: (key: string) => boolean;
  setOpen: (key: string, open: boolean) => void;
  /** Opens a card that has no answers yet. */
  begin: (key: string) => void;
  /** Removes the key of an instance's card. The cards after it in the dataset get new keys. */
  remove: (dataset: string, index: number) => void;
  /** Opens or closes every card. */
  setAll: (open: boolean) => void;
  /** Opens the cards with these errors: a closed card hides its fields. */
  openFor: (errors: Errors, form: Form) => void;
}

/** A flag for each card. `base` is the flag of every card that is not in `own`. */
interface Flags {
  base: boolean;
  own: Record<string, boolean>;
}

const flag = ({ base, own }: Flags, key: string) => own[key] ?? base;
const withFlag = (flags: Flags, key: string, value: boolean): Flags => ({
  ...flags,
  own: { ...flags.own, [key]: value },
});

/** Removes the flag of one instance. The flags of later instances of the dataset get new keys. */
function withoutFlag({ base, own }: Flags, dataset: string, index: number): Flags {
  const remaining = Object.entries(own).flatMap(([key, value]): [string, boolean][] => {
    const [cardDataset, cardIndex] = key.split('.');
    if (cardDataset !== dataset || cardIndex === undefined || Number(cardIndex) < index)
      return [[key, value]];
    return Number(cardIndex) === index ? [] : [[cardKey(dataset, Number(cardIndex) - 1), value]];
  });
  return { base, own: Object.fromEntries(remaining) };
}

/**
 * Holds which cards are open. If `initially` is true, all cards start open, and each card is new
 * until it is closed. If `initially` is false, all cards start closed.
 */
export function useOpenCards(initially: boolean): OpenCards {
  const [cards, setCards] = useState({
    open: { base: initially, own: {} } as Flags,
    fresh: { base: initially, own: {} } as Flags,
  });
  const isOpen = useCallback((key: string) => flag(cards.open, key), [cards]);
  const isNew = useCallback(
    (key: string) => flag(cards.open, key) && flag(cards.fresh, key),
    [cards],
  );
  const setOpen = useCallback(
    (key: string, open: boolean) =>
      setCards((now) => ({
        open: withFlag(now.open, key, open),
        fresh: open ? now.fresh : withFlag(now.fresh, key, false),
      })),
    [],
  );
  const begin = useCallback(
    (key: string) =>
      setCards((now) => ({
        open: withFlag(now.open, key, true),
        fresh: withFlag(now.fresh, key, true),
      })),
    [],
  );
  const remove = useCallback(
    (dataset: string, index: number) =>
      setCards((now) => ({
        open: withoutFlag(now.open, dataset, index),
        fresh: withoutFlag(now.fresh, dataset, index),
      })),
    [],
  );
  const setAll = useCallback(
    (open: boolean) =>
      setCards((now) => ({
        open: { base: open, own: {} },
        fresh: open ? now.fresh : { base: false, own: {} },
      })),
    [],
  );
  const openFor = useCallback((errors: Errors, form: Form) => {
    const own: Record<string, boolean> = {};
    for (const path of Object.keys(errors)) {
      const dataset = datasetOf(path, form);
      if (dataset) own[cardKey(dataset, placeOf(path).index)] = true;
    }
    setCards((now) => ({ ...now, open: { ...now.open, own: { ...now.open.own, ...own } } }));
  }, []);
  const anyOpen = cards.open.base || Object.values(cards.open.own).includes(true);
  return { anyOpen, isOpen, isNew, setOpen, begin, remove, setAll, openFor };
}
