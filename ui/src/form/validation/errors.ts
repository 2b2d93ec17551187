import { withDates } from '../../lib/dates/dates';
import { pathOf, placeOf } from '../answers/answers';
import type { FormState } from '../conditions/visibility';
import { datasetOf } from '../steps/steps';
import type { Answers, Dataset, Errors, Field, Form } from '../types';

/** An error in the error summary. */
export interface ListedError {
  path: string;
  /** The title of the instance's card if the dataset is repeatable, such as "Vehicle 2". */
  card?: string;
  text: string;
}

/** Returns the paths of all datasets, counts and fields of the form, in reading order. */
function pathsInOrder(form: Form, answers: Answers): string[] {
  return form.datasets.flatMap((dataset) => {
    if (!dataset.multi) return [dataset.identifier, ...dataset.fields.map((field) => field.name)];
    const instances = answers.multi[dataset.identifier] ?? [];
    const paths = instances.flatMap((_, index) =>
      dataset.fields.map((field) =>
        pathOf({ dataset: dataset.identifier, index, field: field.name }),
      ),
    );
    return [dataset.identifier, ...(dataset.count_field ? [dataset.count_field] : []), ...paths];
  });
}

export function instanceTitle(dataset: Dataset, index: number): string {
  const noun = dataset.noun ?? dataset.title;
  return `${noun.charAt(0).toLocaleUpperCase('en-GB')}${noun.slice(1)} ${index + 1}`;
}

function fieldAt(path: string, form: Form): Field | undefined {
  const place = placeOf(path);
  const identifier = place.dataset ?? datasetOf(path, form);
  const dataset = form.datasets.find((each) => each.identifier === identifier);
  return dataset?.fields.find((field) => field.name === place.field);
}

/** Returns an error's text. The error of a date field has its days in the reader's format. */
export function errorText<T extends string | undefined>(field: Field | undefined, text: T) {
  return text !== undefined && field?.kind === 'date' ? withDates(text) : text;
}

/**
 * Returns the first text of each path with an error, in reading order. Errors at unknown paths come
 * last.
 */
export function listErrors(errors: Errors, form: Form, answers: Answers): ListedError[] {
  const paths = pathsInOrder(form, answers);
  const rank = (path: string) => {
    const index = paths.indexOf(path);
    return index < 0 ? paths.length : index;
  };
  return Object.entries(errors)
    .flatMap(([path, texts]) => {
      const text = texts[0];
      if (text === undefined) return [];
      return [{ path, text: errorText(fieldAt(path, form), text), card: cardOf(path, form) }];
    })
    .sort((a, b) => rank(a.path) - rank(b.path));
}

function cardOf(path: string, form: Form): string | undefined {
  const place = placeOf(path);
  const dataset = form.datasets.find((each) => each.identifier === place.dataset);
  return dataset && place.index !== undefined ? instanceTitle(dataset, place.index) : undefined;
}

/** Returns the errors without those of hidden fields, which a visitor could not correct. */
export function visibleErrors(errors: Errors, form: Form, state: FormState): Errors {
  return Object.fromEntries(
    Object.entries(errors).filter(
      ([path, texts]) => texts.length > 0 && isOnScreen(path, form, state),
    ),
  );
}

function isOnScreen(path: string, form: Form, state: FormState): boolean {
  const identifier = datasetOf(path, form);
  if (identifier === undefined) return true;
  const dataset = state.datasets[identifier];
  if (!dataset?.visible) return false;
  const place = placeOf(path);
  if (place.dataset !== undefined)
    return dataset.instances[place.index ?? 0]?.[place.field]?.visible ?? false;
  return dataset.fields[place.field]?.visible ?? true;
}
