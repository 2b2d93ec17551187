import { createContext, type ReactNode, useContext } from 'react';
import type { FormState } from '../conditions/visibility';
import type {
  Answers,
  Errors,
  Field,
  Form,
  Home,
  Option,
  Scalar,
  Values,
  VehicleLookUp,
} from '../types';

/**
 * What the cards of a form share: the answers, which fields are visible, and how to change them.
 */
export interface FormApi {
  form: Form;
  answers: Answers;
  state: FormState;
  errors: Errors;
  /** Answers that the server works out from the others. */
  derived: Values;
  /** What underwriting will refuse, by the path of the answer that decides it. */
  decisions: Readonly<Record<string, string>>;
  change: (path: string, value: Scalar) => void;
  /** Keeps what a look-up found for the answer at a path, or what the visitor said of it. */
  setLookup: (path: string, lookUp: VehicleLookUp) => void;
  /** Keeps where the address that was chosen is, if that was told. */
  setHome: (home?: Home) => void;
  /** Called when a visitor leaves a field, so that a wrong format is shown at once. */
  onBlur: (path: string) => void;
  add: (dataset: string) => void;
  remove: (dataset: string, index: number) => void;
  /** Puts a blank instance in the place of one. */
  clear: (dataset: string, index: number) => void;
  /** What the prices on the choice cards of a question are for, as far as that was not answered. */
  pricesFor?: (field: Field) => string | null;
  /** What stands above the choices of a question. */
  renderBefore?: (field: Field) => ReactNode;
  /** What to show below the choice cards of a question, such as what they reach. */
  renderAfter?: (field: Field) => ReactNode;
  /** What to show in addition on a choice card, such as its price. */
  optionPrice?: (field: Field, option: Option) => ReactNode;
}

const FormContext = createContext<FormApi | null>(null);

export const FormProvider = FormContext.Provider;

export function useFormApi(): FormApi {
  const api = useContext(FormContext);
  if (!api) throw new Error('A form field stands outside its form');
  return api;
}

/** The id of the control at a path, which error links and focus look for. */
export function controlId(path: string): string {
  return `answer-${path.replaceAll('.', '-')}`;
}
