import { isMissing } from '../conditions/conditions';
import type { Answers, Dataset, Field, Form, Scalar, Values } from '../types';

/** The parts of an answer's path: a field's name, or `dataset.index.field`. */
export interface AnswerPath {
  dataset?: string;
  index?: number;
  field: string;
}

export function pathOf(place: AnswerPath): string {
  return place.dataset === undefined
    ? place.field
    : `${place.dataset}.${place.index}.${place.field}`;
}

export function placeOf(path: string): AnswerPath {
  const [dataset, index, field] = path.split('.');
  if (dataset === undefined || index === undefined || field === undefined) return { field: path };
  return { dataset, index: Number(index), field };
}

export function fieldAt(form: Form, path: string): Field | undefined {
  const place = placeOf(path);
  return form.datasets
    .filter((each) =>
      place.dataset === undefined ? !each.multi : each.identifier === place.dataset,
    )
    .flatMap((each) => each.fields)
    .find((field) => field.name === place.field);
}

/** Builds a new instance of a repeatable dataset, with the defaults of its fields. */
export function blankInstance(dataset: Dataset): Values {
  const values: Values = {};
  for (const field of dataset.fields)
    if (!isMissing(field.default)) values[field.name] = field.default;
  return values;
}

/**
 * Returns the answers of a new quote: each field's value or default. Each repeatable dataset has
 * its minimum number of instances.
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

/**
 * Returns the identity of each instance of a dataset. An instance's index may change. Its identity
 * does not.
 */
export function rowsOf({ multi, rows }: Answers, dataset: string): string[] {
  return (multi[dataset] ?? []).map((_, index) => rows?.[dataset]?.[index] ?? String(index));
}

/** Returns the answers with a new blank instance, whose identity is `row`. */
export function addInstance(answers: Answers, dataset: Dataset, row: string): Answers {
  const { identifier } = dataset;
  const instances = answers.multi[identifier] ?? [];
  return {
    ...answers,
    multi: { ...answers.multi, [identifier]: [...instances, blankInstance(dataset)] },
    rows: { ...answers.rows, [identifier]: [...rowsOf(answers, identifier), row] },
  };
}

/**
 * Returns the answers without an instance. If `row` is given, a blank instance of that identity
 * replaces the removed one.
 */
export function removeInstance(
  answers: Answers,
  dataset: Dataset,
  index: number,
  row?: string,
): Answers {
  const { identifier } = dataset;
  const instances = [...(answers.multi[identifier] ?? [])];
  const rows = rowsOf(answers, identifier);
  instances.splice(index, 1, ...(row === undefined ? [] : [blankInstance(dataset)]));
  rows.splice(index, 1, ...(row === undefined ? [] : [row]));
  const after: Answers = {
    ...answers,
    multi: { ...answers.multi, [identifier]: instances },
    rows: { ...answers.rows, [identifier]: rows },
  };
  const { lookups, home } = answers;
  if (lookups) after.lookups = movedAll(lookups, answers, after);
  const path = home && movedPath(home.path, answers, after);
  return { ...after, home: home && path ? { ...home, path } : undefined };
}

/**
 * Returns the path in `now` of an answer in `before`. Returns null if the answer's instance no
 * longer exists.
 */
export function movedPath(path: string, before: Answers, now: Answers): string | null {
  const place = placeOf(path);
  if (place.dataset === undefined || place.index === undefined) return path;
  const row = rowsOf(before, place.dataset)[place.index];
  const index = row === undefined ? -1 : rowsOf(now, place.dataset).indexOf(row);
  return index < 0 ? null : pathOf({ ...place, index });
}

/**
 * Moves values from their paths in `before` to their paths in `now`. Drops the values of removed
 * instances.
 */
export function movedAll<T>(
  all: Record<string, T>,
  before: Answers,
  now: Answers,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(all).flatMap(([path, each]) => {
      const newPath = movedPath(path, before, now);
      return newPath === null ? [] : [[newPath, each]];
    }),
  );
}

/**
 * Checks whether another instance may be added. The limit is ten, or the dataset's maximum if that
 * is from one to nine.
 */
export function canAdd(dataset: Dataset, count: number): boolean {
  return count <= 9 && (dataset.max <= 0 || count < dataset.max);
}
