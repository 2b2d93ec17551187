import type { ChangedProduct } from '../../../../api/policies/policyTypes';
import { serialise } from '../../../../form/answers/serialize';
import { evaluate } from '../../../../form/conditions/visibility';
import { datasetOf } from '../../../../form/steps/steps';
import type { Answers, Form, Multi, Values } from '../../../../form/types';

/** The differences from the policy's answers. */
export interface Changes {
  values: Values;
  /** All instances of each repeatable dataset with a difference. */
  multi: Multi;
}

function sent(form: Form, answers: Answers): ChangedProduct {
  return serialise(form, evaluate(form, answers));
}

/** Returns the changes in the API's format. Null removes an answer. */
export function changesOf(form: Form, before: Answers, now: Answers): Changes {
  const old = sent(form, before);
  const current = sent(form, now);
  const changes: Changes = { values: {}, multi: {} };
  for (const name of new Set([...Object.keys(old.values), ...Object.keys(current.values)])) {
    const value = current.values[name] ?? null;
    if ((old.values[name] ?? null) !== value) changes.values[name] = value;
  }
  for (const name of new Set([...Object.keys(old.multi), ...Object.keys(current.multi)])) {
    const instances = current.multi[name] ?? [];
    if (JSON.stringify(old.multi[name] ?? []) !== JSON.stringify(instances)) {
      changes.multi[name] = instances;
    }
  }
  return changes;
}

export function isEmpty({ values, multi }: Changes): boolean {
  return Object.keys(values).length + Object.keys(multi).length === 0;
}

export function changesIn(form: Form, changes: Changes, dataset: string): Changes {
  const own = <T>(all: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([name]) => datasetOf(name, form) === dataset));
  return { values: own(changes.values), multi: own(changes.multi) };
}

export function subtractChanges(all: Changes, part: Changes): Changes {
  const subtract = <T>(from: Record<string, T>, removed: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(from).filter(([name]) => !(name in removed)));
  return { values: subtract(all.values, part.values), multi: subtract(all.multi, part.multi) };
}

/** Checks whether the changes may change the price. Only the server knows the new price. */
export function movesPrice(form: Form, before: Answers, changes: Changes): boolean {
  return form.datasets.some((dataset) => {
    const rated = dataset.fields.filter((field) => field.rateable).map((field) => field.name);
    if (!dataset.multi) return rated.some((name) => name in changes.values);
    const instances = changes.multi[dataset.identifier];
    if (!instances) return false;
    const old = before.multi[dataset.identifier] ?? [];
    return (
      old.length !== instances.length ||
      instances.some((each, index) =>
        rated.some((name) => (each[name] ?? null) !== (old[index]?.[name] ?? null)),
      )
    );
  });
}

export function apply(before: Answers, changes: Changes): Answers {
  return {
    values: { ...before.values, ...changes.values },
    multi: { ...before.multi, ...changes.multi },
  };
}

export function asProduct(form: Form, changes: Changes): ChangedProduct {
  return { product_identifier: form.product_identifier, ...changes };
}
