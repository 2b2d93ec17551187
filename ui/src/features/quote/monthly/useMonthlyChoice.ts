import { useState } from 'react';
import { MONTHLY_CHOICES } from '../../../lib/storage/drafts';
import { readStored, writeStored } from '../../../lib/storage/storage';

export interface MonthlyChoice {
  /** Whether the customer chose to pay monthly. */
  isOn: boolean;
  /** Whether the server refused the choice. The customer then pays annually. */
  isRefused: boolean;
  onChange: (isOn: boolean) => void;
}

/**
 * Holds the customer's choice to pay monthly or annually. `saved` is the choice of the newest
 * acceptance. The browser tab stores a later choice, so that a reload keeps it.
 */
export function useMonthlyChoice(quote: string, saved: boolean) {
  const key = `${MONTHLY_CHOICES}${quote}`;
  const [isOn, setIsOn] = useState(() => readStored<boolean>(key, 'session') ?? saved);
  const [isRefused, setIsRefused] = useState(false);
  const choose = (now: boolean, refused: boolean) => {
    setIsOn(now);
    setIsRefused(refused);
    writeStored(key, now, 'session');
  };
  const choice: MonthlyChoice = { isOn, isRefused, onChange: (now) => choose(now, false) };
  return { choice, refuse: () => choose(false, true) };
}
