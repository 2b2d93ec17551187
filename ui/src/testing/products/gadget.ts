import type { Product, Step, StepGroup, StepperData } from '../../api/types';
import product from './gadget.json';

/** Another product, with the generic stepper, as the server publishes it. */
export const GADGET = product as unknown as Product;

const step = (number: number, title: string, icon: string, datasets: string[]): Step => ({
  number,
  title,
  icon,
  datasets,
  skip: [],
});

const group = (...steps: Step[]): Record<string, StepGroup> => ({ quote: { steps } });

export const GADGET_STEPPER: StepperData = {
  title: 'Gadget cover',
  default: 'quote',
  product_steps: group(
    step(10, 'Your gadgets', 'phone', ['cover', 'gadgets']),
    step(20, 'Your details', 'user', ['policyholder']),
    step(30, 'Check and pay', 'credit-card', ['declarations']),
  ),
  activatedBy: { values: {} },
};

/** A stepper that depends on the plan: two steps for plan 1, one step for plan 2. */
export const BY_PLAN: StepperData = {
  ...GADGET_STEPPER,
  activatedBy: {
    field: 'plan',
    values: {
      '1': {
        title: 'Gadget basic',
        product_steps: group(
          step(10, 'Your gadgets', 'phone', ['cover', 'gadgets', 'policyholder']),
          step(20, 'Check and pay', 'credit-card', ['declarations']),
        ),
      },
      '2': {
        title: 'Gadget plus',
        product_steps: group(
          step(10, 'All at once', 'phone', ['cover', 'gadgets', 'policyholder', 'declarations']),
        ),
      },
    },
  },
};

/** Answers that a quote can be saved with: one phone. */
export const GADGET_ANSWERS = {
  values: {
    plan: 1,
    start_date: '22.11.2026',
    first_name: 'Ann',
    last_name: 'Smith',
    email_primary: 'ann@example.com',
  },
  multi: { gadgets: [{ gadget_type: 1, gadget_make: 'Acme', gadget_value: 400 }] },
};
