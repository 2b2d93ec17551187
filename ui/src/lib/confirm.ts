import { keepFocus } from './keepFocus';
import { createSignal } from './signal';

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

/** Asks in the shared dialog; resolves true for Yes and false for Cancel. */
export function confirm(question: ConfirmQuestion): Promise<boolean> {
  pendingQuestion.get()?.answer(false);
  const giveBack = keepFocus();
  return new Promise((resolve) => {
    pendingQuestion.set({
      ...question,
      answer: (agreed) => {
        pendingQuestion.set(null);
        giveBack();
        resolve(agreed);
      },
    });
  });
}
