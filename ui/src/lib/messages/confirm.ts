import { saveFocus } from '../focusRestore';
import { createSignal } from '../signal';

export interface ConfirmQuestion {
  message: string;
  title?: string;
  yes?: string;
  cancel?: string;
}

export interface PendingQuestion extends ConfirmQuestion {
  answer: (agreed: boolean) => void;
}

export const pendingQuestion = createSignal<PendingQuestion | null>(null);

/** Answers No for the visitor, who has left the page of the question. */
export function dismissQuestion(): void {
  pendingQuestion.get()?.answer(false);
}

/**
 * Asks in the shared dialog. Resolves true for Yes, and false for Cancel, Escape and any
 * navigation.
 */
export function confirm(question: ConfirmQuestion): Promise<boolean> {
  dismissQuestion();
  const restoreFocus = saveFocus();
  return new Promise((resolve) => {
    pendingQuestion.set({
      ...question,
      answer: (agreed) => {
        pendingQuestion.set(null);
        restoreFocus();
        resolve(agreed);
      },
    });
  });
}
