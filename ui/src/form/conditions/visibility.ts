import type { Answers, Dataset, Field, Form, Option, Scalar, Values } from '../types';
import { holds, isMissing, type LookUp } from './conditions';

export interface FieldState {
  visible: boolean;
  /** The available choices. Some depend on earlier answers. */
  options: Option[];
  /** Whether an answer is required. The requirement may depend on other answers. */
  required: boolean;
}

export type FieldStates = Record<string, FieldState>;

export interface DatasetState {
  visible: boolean;
  /** The fields of a single dataset, by name. Empty for a repeatable dataset. */
  fields: FieldStates;
  /** The fields of each instance of a repeatable dataset. */
  instances: FieldStates[];
}

export interface FormState {
  datasets: Record<string, DatasetState>;
  counts: Record<string, number>;
  /**
   * Top-level answers of visible fields, and the number of instances of each dataset with a count
   * field.
   */
  values: Values;
  /** Answers of visible fields, for each instance of each repeatable dataset. */
  multi: Record<string, Values[]>;
}

function offered(field: Field, lookUp: LookUp): Option[] {
  return field.options.filter(
    (option) => !option.visible_when || holds(option.visible_when, lookUp),
  );
}

/** Returns the answer. Returns null for a missing answer, or for a choice that is not available. */
function effective(field: Field, options: Option[], value: Scalar | undefined): Scalar {
  if (isMissing(value)) return null;
  if (field.options.length > 0 && !options.some((option) => option.value === value)) return null;
  return value;
}

function evaluateFields(
  fields: Field[],
  datasetVisible: boolean,
  answers: Values,
  own: Values,
  lookUp: LookUp,
): FieldStates {
  const states: FieldStates = {};
  for (const field of fields) {
    const visible =
      datasetVisible &&
      !field.force_hidden &&
      (!field.visible_when || holds(field.visible_when, lookUp));
    const options = visible ? offered(field, lookUp) : [];
    if (visible) own[field.name] = effective(field, options, answers[field.name]);
    const required =
      field.required || (!!field.required_when && holds(field.required_when, lookUp));
    states[field.name] = { visible, options, required };
  }
  return states;
}

/**
 * Calculates the visibility, the choices and the requirement of each field. One pass in order
 * suffices: a condition names only earlier fields. Answers of hidden fields are ignored.
 */
export function evaluate(form: Form, answers: Answers): FormState {
  const state: FormState = { datasets: {}, counts: {}, values: {}, multi: {} };
  const top: LookUp = (name) => state.values[name];

  for (const dataset of form.datasets) {
    const visible = !dataset.visible_when || holds(dataset.visible_when, top);
    if (dataset.multi) {
      evaluateRepeatable(dataset, visible, answers, state);
    } else {
      const fields = evaluateFields(dataset.fields, visible, answers.values, state.values, top);
      state.datasets[dataset.identifier] = { visible, fields, instances: [] };
    }
  }
  return state;
}

function evaluateRepeatable(
  dataset: Dataset,
  visible: boolean,
  answers: Answers,
  state: FormState,
) {
  const storedInstances = visible ? (answers.multi[dataset.identifier] ?? []) : [];
  const instances: FieldStates[] = [];
  const counting: Values[] = [];
  for (const instance of storedInstances) {
    const own: Values = {};
    const lookUp: LookUp = (name) => (name in own ? own[name] : state.values[name]);
    instances.push(evaluateFields(dataset.fields, visible, instance, own, lookUp));
    counting.push(own);
  }
  state.datasets[dataset.identifier] = { visible, fields: {}, instances };
  state.multi[dataset.identifier] = counting;
  if (dataset.count_field) {
    state.counts[dataset.count_field] = counting.length;
    state.values[dataset.count_field] = counting.length;
  }
}
