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

/** The state of a form for its cards: the answers, the visible fields, and the actions. */
export interface FormApi {
  form: Form;
  answers: Answers;
  state: FormState;
  errors: Errors;
  /** Answers that the server derives from the others. */
  derived: Values;
  /** The underwriting refusals, by the path of the deciding answer. */
  decisions: Readonly<Record<string, string>>;
  change: (path: string, value: Scalar) => void;
  /** Stores the look-up of the registration at a path, or the visitor's answer to it. */
  setLookup: (path: string, lookUp: VehicleLookUp) => void;
  /** Stores the position of the chosen address. Without `home`, removes the stored position. */
  setHome: (home?: Home) => void;
  /** Called when a visitor leaves a field, to show a wrong format. */
  onBlur: (path: string) => void;
  add: (dataset: string) => void;
  remove: (dataset: string, index: number) => void;
  /** Replaces an instance by a blank one. */
  clear: (dataset: string, index: number) => void;
  /** Returns the assumption behind the prices on a question's cards, or null. */
  pricesFor?: (field: Field) => string | null;
  /** Returns the content above a question's choices. */
  renderBefore?: (field: Field) => ReactNode;
  /** Returns the content below a question's choices, such as the coverage map. */
  renderAfter?: (field: Field) => ReactNode;
  /** Returns additional content for a choice, such as its price. */
  optionPrice?: (field: Field, option: Option) => ReactNode;
}

const FormContext = createContext<FormApi | null>(null);

export const FormProvider = FormContext.Provider;

export function useFormApi(): FormApi {
  const api = useContext(FormContext);
  if (!api) throw new Error('A form field stands outside its form');
  return api;
}

/** Returns the id of the control at a path, for error links and the focus. */
export function controlId(path: string): string {
  return `answer-${path.replaceAll('.', '-')}`;
}
