import { isMissing } from './conditions';
import type { Answers, Dataset, Field, Form, Scalar, Values } from './types';

/** The parts of an answer's path: a field's name, or `dataset.index.field`. */
export interface Place {
  dataset?: string;
  index?: number;
  field: string;
}

export function pathOf(place: Place): string {
  return place.dataset === undefined
    ? place.field
    : `${place.dataset}.${place.index}.${place.field}`;
}

export function placeOf(path: string): Place {
  const [dataset, index, field] = path.split('.');
  if (dataset === undefined || index === undefined || field === undefined) return { field: path };
  return { dataset, index: Number(index), field };
}

/** The field at a path. */
export function fieldAt(form: Form, path: string): Field | undefined {
  const place = placeOf(path);
  return form.datasets
    .filter((each) =>
      place.dataset === undefined ? !each.multi : each.identifier === place.dataset,
    )
    .flatMap((each) => each.fields)
    .find((field) => field.name === place.field);
}

/** A new instance of a repeatable dataset. */
export function blankInstance(dataset: Dataset): Values {
  const values: Values = {};
  for (const field of dataset.fields)
    if (!isMissing(field.default)) values[field.name] = field.default;
  return values;
}

/**
 * The answers of a new quote: the product's defaults, and one instance of each dataset that needs
 * one.
 */
export function initialAnswers(form: Form): Answers {
  const answers: Answers = { values: {}, multi: {} };
  for (const dataset of form.datasets) {
    if (dataset.multi) {
      answers.multi[dataset.identifier] = Array.from({ length: Math.max(dataset.min, 0) }, () =>
        blankInstance(dataset),
      );
      continue;
    }
    for (const field of dataset.fields) {
      const value = isMissing(field.value) ? field.default : field.value;
      if (!isMissing(value)) answers.values[field.name] = value;
    }
  }
  return answers;
}

export function readAnswer(answers: Answers, path: string): Scalar | undefined {
  const place = placeOf(path);
  if (place.dataset === undefined) return answers.values[place.field];
  return answers.multi[place.dataset]?.[place.index ?? 0]?.[place.field];
}

export function writeAnswer(answers: Answers, path: string, value: Scalar): Answers {
  const place = placeOf(path);
  if (place.dataset === undefined) {
    return { ...answers, values: { ...answers.values, [place.field]: value } };
  }
  const instances = answers.multi[place.dataset] ?? [];
  return {
    ...answers,
    multi: {
      ...answers.multi,
      [place.dataset]: instances.map((instance, index) =>
        index === place.index ? { ...instance, [place.field]: value } : instance,
      ),
    },
  };
}

export function addInstance(answers: Answers, dataset: Dataset): Answers {
  const instances = answers.multi[dataset.identifier] ?? [];
  return {
    ...answers,
    multi: { ...answers.multi, [dataset.identifier]: [...instances, blankInstance(dataset)] },
  };
}

/**
 * Removes one instance. If it is the only one, its answers are cleared instead, except where the
 * product allows no instance at all.
 */
export function removeInstance(answers: Answers, dataset: Dataset, index: number): Answers {
  const instances = answers.multi[dataset.identifier] ?? [];
  const left =
    instances.length <= 1
      ? Array.from({ length: Math.min(dataset.min, 1) }, () => blankInstance(dataset))
      : instances.filter((_, each) => each !== index);
  const multi = { ...answers.multi, [dataset.identifier]: left };
  if (!answers.lookups) return { ...answers, multi };
  const lookups = withoutInstance(answers.lookups, dataset.identifier, index);
  return { ...answers, multi, lookups };
}

/** Removes what stands at one instance's paths, and gives that of later instances their new index. */
export function withoutInstance<T>(
  all: Record<string, T>,
  dataset: string,
  index: number,
): Record<string, T> {
  const left: Record<string, T> = {};
  for (const [path, each] of Object.entries(all)) {
    const place = placeOf(path);
    if (place.dataset !== dataset || place.index === undefined) left[path] = each;
    else if (place.index < index) left[path] = each;
    else if (place.index > index) left[pathOf({ ...place, index: place.index - 1 })] = each;
  }
  return left;
}

/** Whether another instance may be added: up to ten, or fewer if the product says so. */
export function canAdd(dataset: Dataset, count: number): boolean {
  return count <= 9 && (dataset.max <= 0 || count < dataset.max);
}
