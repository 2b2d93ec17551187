import { saveFocus } from '../focusRestore';
import { createSignal } from '../signal';

export interface ConfirmQuestion {
  /** The text, or the texts of several paragraphs. */
  message: string | readonly string[];
  title?: string;
  yes?: string;
  cancel?: string;
}

export interface PendingQuestion extends ConfirmQuestion {
  answer: (agreed: boolean) => void;
}

export const pendingQuestion = createSignal<PendingQuestion | null>(null);

/**
 * Answers No to the open question, because the visitor leaves its page or gets another question.
 */
export function dismissQuestion(): void {
  pendingQuestion.get()?.answer(false);
}

/**
 * Asks in the shared dialog. Resolves true for Yes. Resolves false for Cancel, Escape, any
 * navigation and another question.
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
