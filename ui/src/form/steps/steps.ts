import { pathOf, placeOf } from '../answers/answers';
import type { FormState } from '../conditions/visibility';
import type { Errors, Form, Scalar, Step, StepGroup, StepperData, Values } from '../types';

/** Products with the generic stepper number their steps 10, 20, 30. */
export const STEP_INCREMENT = 10;

/**
 * Returns the steps of the active group, in order. An answer may replace the product's groups
 * (`activatedBy`). The active group is the first existing one of these: the group `context`, the
 * default group, the first group.
 */
export function stepsOf(stepper: StepperData, values: Values, context?: string): Step[] {
  const groups = activated(stepper, values)?.product_steps ?? stepper.product_steps;
  const named = (key: string | undefined): StepGroup | undefined =>
    key !== undefined && Object.hasOwn(groups, key) ? groups[key] : undefined;
  const group = named(context) ?? named(stepper.default) ?? Object.values(groups)[0];
  return [...(group?.steps ?? [])].sort((a, b) => a.number - b.number);
}

/** Returns the title of the active steps. */
export function titleOf(stepper: StepperData, values: Values): string {
  return activated(stepper, values)?.title ?? stepper.title;
}

function activated(stepper: StepperData, values: Values) {
  const activation = stepper.activatedBy;
  const answer: Scalar | undefined = activation?.field ? values[activation.field] : undefined;
  if (!activation || answer === undefined || answer === null) return undefined;
  return Object.hasOwn(activation.values, String(answer))
    ? activation.values[String(answer)]
    : undefined;
}

/**
 * Returns the step to return to after a failed update of a generic quote: step 10, or the first
 * step.
 */
export function genericStart(steps: Step[]): Step | undefined {
  return steps.find((step) => step.number === STEP_INCREMENT) ?? steps[0];
}

/**
 * Returns the identifier of the dataset at a path. The path names a dataset, its count or a field.
 */
export function datasetOf(path: string, form: Form): string | undefined {
  const place = placeOf(path);
  if (place.dataset !== undefined) return place.dataset;
  if (form.datasets.some((dataset) => dataset.identifier === path)) return path;
  const dataset = form.datasets.find(
    (each) =>
      (!each.multi && each.fields.some((field) => field.name === place.field)) ||
      each.count_field === path,
  );
  return dataset?.identifier;
}

export function stepOfPath(path: string, steps: Step[], form: Form): Step | undefined {
  const dataset = datasetOf(path, form);
  return dataset === undefined ? undefined : steps.find((step) => step.datasets.includes(dataset));
}

/** Checks whether a step's own validation skips this field. */
export function isSkipped(path: string, step: Step): boolean {
  const place = placeOf(path);
  const name = place.dataset === undefined ? place.field : `${place.dataset}.${place.field}`;
  return step.skip?.includes(name) ?? false;
}

/** Returns the errors of a step's fields. */
export function errorsOn(step: Step, errors: Errors, form: Form): Errors {
  return Object.fromEntries(
    Object.entries(errors).filter(([path]) => {
      const dataset = datasetOf(path, form);
      return dataset !== undefined && step.datasets.includes(dataset);
    }),
  );
}

export function countErrors(errors: Errors): number {
  return Object.values(errors).filter((texts) => texts.length > 0).length;
}

/** Returns the number of the earliest step with an error, or undefined if no step has an error. */
export function earliestFaulty(steps: Step[], errors: Errors, form: Form): number | undefined {
  return steps.find((step) => countErrors(errorsOn(step, errors, form)) > 0)?.number;
}

/**
 * Returns the number of the step that a click on step `number` opens. It is at most the number of
 * the earliest step with errors.
 */
export function jumpTarget(steps: Step[], number: number, errors: Errors, form: Form): number {
  const limit = earliestFaulty(steps, errors, form);
  return limit === undefined ? number : Math.min(number, limit);
}

/** Returns the path of the first visible question of a step, and the key of its card. */
export function firstQuestion(
  step: Step,
  form: Form,
  state: FormState,
): { card: string; path: string } | undefined {
  for (const dataset of form.datasets) {
    const shown = state.datasets[dataset.identifier];
    if (!step.datasets.includes(dataset.identifier) || !shown?.visible) continue;
    const states = dataset.multi ? shown.instances[0] : shown.fields;
    const field = dataset.fields.find((each) => states?.[each.name]?.visible);
    if (!field) continue;
    const place = dataset.multi ? { dataset: dataset.identifier, index: 0 } : {};
    return {
      card: dataset.multi ? `${dataset.identifier}.0` : dataset.identifier,
      path: pathOf({ ...place, field: field.name }),
    };
  }
  return undefined;
}
