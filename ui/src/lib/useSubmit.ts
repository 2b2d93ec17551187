import { type RefObject, useEffect, useRef, useState } from 'react';
import { useFaultInTitle } from './routes/title';

type Texts = Readonly<Record<string, readonly string[]>>;

/** Focuses the first control with an error. Returns whether there is such a control. */
export function focusFirst(form: HTMLFormElement | null, errors: Texts): boolean {
  const controls = form?.querySelectorAll<HTMLElement>('input[name], select[name], textarea[name]');
  for (const control of controls ?? []) {
    if (!errors[control.getAttribute('name') ?? '']?.length) continue;
    control.scrollIntoView({ block: 'center' });
    control.focus({ preventScroll: true });
    return true;
  }
  return false;
}

interface Submit {
  form: RefObject<HTMLFormElement | null>;
  working: boolean;
  failure: unknown;
  /** Resolves true if the call succeeded, and false if it failed or another call was running. */
  run: (work: () => Promise<void>) => Promise<boolean>;
  forget: () => void;
}

/**
 * Runs one call of a form at a time, so that a double click sends it once. Stores the error of a
 * failed call for the form, and focuses the first field with an error.
 */
export function useSubmit(errorsOf: (failure: unknown) => Texts): Submit {
  const form = useRef<HTMLFormElement>(null);
  const busy = useRef(false);
  const [working, setWorking] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  useFaultInTitle(failure !== null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new failure moves the focus
  useEffect(() => {
    if (failure) focusFirst(form.current, errorsOf(failure));
  }, [failure]);

  const run = async (work: () => Promise<void>) => {
    if (busy.current) return false;
    busy.current = true;
    setWorking(true);
    setFailure(null);
    try {
      await work();
      return true;
    } catch (error) {
      setFailure(error);
      return false;
    } finally {
      busy.current = false;
      setWorking(false);
    }
  };

  return { form, working, failure, run, forget: () => setFailure(null) };
}
