import type { Scalar, Step } from '../../../api/types';
import type { FormState } from '../../../form/conditions/visibility';
import type { ProductInfo } from '../../../form/types';
import { type CurrencyFormat, SHOP_CURRENCY } from '../../../lib/format/money';
import type { Premium } from '../price/pricing';
import type { CoverDates } from '../start-date/coverDates';

/** The stepper's view of a quote (part 2 of the specification). */
export interface StepperState {
  currencyFormat: CurrencyFormat;
  /** Whether there are steps. */
  visible: boolean;
  /** Whether the page shows the steps: only if there are several. */
  show: boolean;
  title: string;
  steps: Step[];
  currentStep: number;
  quoteStartDate: CoverDates['from'] | null;
  /** The last day of cover. Null without dates, or if the last day of a trip is missing. */
  quoteEndDate: CoverDates['to'];
  /** Days from today to the first possible day of cover. */
  minBindDays: number;
  /** The amount of the premium, in the product's currency. Null without a premium. */
  price: number | null;
  /** The answer to the question that is compared by price, such as a cover level. */
  coverLevel: Scalar;
}

/**
 * The first state of the generic stepper, before a product is known (part 9 of the specification).
 */
export const GENERIC_STEPPER: StepperState = {
  currencyFormat: { currency: 'USD', locale: 'en', format: '0,0.00' },
  visible: false,
  show: false,
  title: '',
  steps: [],
  currentStep: 0,
  quoteStartDate: null,
  quoteEndDate: null,
  minBindDays: 0,
  price: null,
  coverLevel: null,
};

type StepperInfo = Pick<ProductInfo, 'stepper'> &
  Partial<Pick<ProductInfo, 'currency' | 'locale' | 'money_format' | 'min_bind_days'>>;

interface StepperOptions {
  info: StepperInfo;
  title: string;
  steps: Step[];
  current: Step | undefined;
  premium: Premium | null;
  dates: CoverDates | null;
  /** The name of the question whose choices are compared by price. */
  compared: string | undefined;
  values: FormState['values'];
}

/**
 * Returns a product's money format. The default of the product's stepper replaces each missing
 * value.
 */
export function currencyOf(info: StepperInfo): CurrencyFormat {
  const defaultFormat = info.stepper === 'generic' ? GENERIC_STEPPER.currencyFormat : SHOP_CURRENCY;
  return {
    currency: info.currency || defaultFormat.currency,
    locale: info.locale || defaultFormat.locale,
    format: info.money_format || defaultFormat.format,
  };
}

/** Calculates the stepper's state from the quote. The state is not stored. */
export function stepperState(options: StepperOptions): StepperState {
  const { info, premium, steps, current, compared } = options;
  return {
    currencyFormat: currencyOf(info),
    visible: steps.length > 0,
    show: steps.length > 1,
    title: options.title || GENERIC_STEPPER.title,
    steps,
    currentStep: current?.number ?? GENERIC_STEPPER.currentStep,
    quoteStartDate: options.dates?.from ?? null,
    quoteEndDate: options.dates?.to ?? null,
    minBindDays: info.min_bind_days ?? GENERIC_STEPPER.minBindDays,
    price: premium?.amount ?? null,
    coverLevel: (compared === undefined ? null : options.values[compared]) ?? null,
  };
}
