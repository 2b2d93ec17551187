import { isMissing } from '../conditions/conditions';
import type { Answers, Form, Values } from '../types';
import { blankInstance, initialAnswers } from './answers';

/** Answers from the profile of the person who was logged in. */
export interface Prefilled {
  user: string | null;
  values: Values;
}

/**
 * Returns the answers that a person's profile has for empty fields. Leaves out repeatable datasets,
 * fields with options and checkboxes.
 */
export function prefill(form: Form, answers: Answers, profileValues: Values): Values {
  const values: Values = {};
  for (const dataset of form.datasets) {
    if (dataset.multi) continue;
    for (const field of dataset.fields) {
      const value = profileValues[field.name];
      const writable = field.options.length === 0 && field.kind !== 'checkbox';
      if (writable && isMissing(answers.values[field.name]) && !isMissing(value))
        values[field.name] = value;
    }
  }
  return values;
}

/** Returns the answers without those from a profile. Answers that the visitor has changed stay. */
export function withoutPrefilled(answers: Answers, prefilled: Values): Answers {
  const remaining = Object.entries(answers.values).filter(
    ([name, value]) => !(name in prefilled && prefilled[name] === value),
  );
  return { ...answers, values: Object.fromEntries(remaining) };
}

/** Returns the answers with at least the minimum number of instances of each repeatable dataset. */
export function padInstances(form: Form, answers: Answers): Answers {
  const multi = { ...answers.multi };
  for (const dataset of form.datasets) {
    if (!dataset.multi) continue;
    const instances = multi[dataset.identifier] ?? [];
    const missing = Math.max(dataset.min - instances.length, 0);
    multi[dataset.identifier] = [
      ...instances,
      ...Array.from({ length: missing }, () => blankInstance(dataset)),
    ];
  }
  return { ...answers, multi };
}

/**
 * Adapts stored answers to the present form. Missing answers get their defaults, and datasets their
 * minimum number of instances.
 */
export function restoreAnswers(form: Form, stored: Answers): Answers {
  const initial = initialAnswers(form);
  return padInstances(form, { ...stored, values: { ...initial.values, ...stored.values } });
}
