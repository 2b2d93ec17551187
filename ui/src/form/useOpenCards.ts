import { useCallback, useState } from 'react';
import { placeOf } from './answers';
import { datasetOf } from './steps';
import type { Errors, Form } from './types';

/** The key of a card: of a single dataset, or of one instance of a repeatable dataset. */
export function cardKey(dataset: string, index?: number): string {
  return index === undefined ? dataset : `${dataset}.${index}`;
}

export interface OpenCards {
  anyOpen: boolean;
  isOpen: (key: string) => boolean;
  setOpen: (key: string, open: boolean) => void;
  /** Opens or closes every card, including those that were opened or closed one by one. */
  setAll: (open: boolean) => void;
  /** Opens the cards with these errors, since a closed card does not show its fields. */
  openFor: (errors: Errors, form: Form) => void;
}

/** Which cards are being edited. A new quote starts with all of them open, a saved one with none. */
export function useOpenCards(initially: boolean): OpenCards {
  const [cards, setCards] = useState<{ base: boolean; own: Record<string, boolean> }>({
    base: initially,
    own: {},
  });
  const isOpen = useCallback((key: string) => cards.own[key] ?? cards.base, [cards]);
  const setOpen = useCallback(
    (key: string, open: boolean) =>
      setCards((now) => ({ ...now, own: { ...now.own, [key]: open } })),
    [],
  );
  const setAll = useCallback((open: boolean) => setCards({ base: open, own: {} }), []);
  const openFor = useCallback((errors: Errors, form: Form) => {
    const own: Record<string, boolean> = {};
    for (const path of Object.keys(errors)) {
      const dataset = datasetOf(path, form);
      if (dataset) own[cardKey(dataset, placeOf(path).index)] = true;
    }
    setCards((now) => ({ ...now, own: { ...now.own, ...own } }));
  }, []);
  const anyOpen = cards.base || Object.values(cards.own).includes(true);
  return { anyOpen, isOpen, setOpen, setAll, openFor };
}
