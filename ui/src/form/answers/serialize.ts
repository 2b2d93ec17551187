import { isMissing } from '../conditions/conditions';
import type { FormState } from '../conditions/visibility';
import type { Answers, Condition, Form, SerializedProduct, Values } from '../types';

const NONE: ReadonlySet<string> = new Set();

type Keep = (name: string, dataset?: string) => boolean;

function collect(form: Form, state: FormState, shouldKeep: Keep): SerializedProduct {
  const product: SerializedProduct = {
    product_identifier: form.product_identifier,
    values: {},
    multi: {},
  };
  for (const dataset of form.datasets) {
    if (!state.datasets[dataset.identifier]?.visible) continue;
    if (dataset.multi) {
      product.multi[dataset.identifier] = (state.multi[dataset.identifier] ?? []).map((instance) =>
        pick(instance, (name) => shouldKeep(name, dataset.identifier)),
      );
      continue;
    }
    const own = Object.fromEntries(
      dataset.fields.map((field) => [field.name, state.values[field.name] ?? null]),
    );
    Object.assign(
      product.values,
      pick(own, (name) => shouldKeep(name)),
    );
  }
  return product;
}

function pick(values: Values, shouldKeep: (name: string) => boolean): Values {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => !isMissing(value) && shouldKeep(name))
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  );
}

/**
 * Returns the answers of all visible fields, without missing answers. Answers of hidden fields stay
 * in the browser.
 */
export function serialise(form: Form, state: FormState): SerializedProduct {
  return collect(form, state, () => true);
}

function namesIn(condition: Condition | undefined): string[] {
  if (!condition) return [];
  return [
    ...(condition.field === undefined ? [] : [condition.field]),
    ...(condition.all ?? []).flatMap(namesIn),
    ...(condition.any ?? []).flatMap(namesIn),
    ...namesIn(condition.not),
  ];
}

/**
 * Returns the fields that the visibility of datasets, fields and options depends on. With the
 * answers of these fields the server finds the same visible fields as the website.
 */
function deciding(form: Form): Set<string> {
  return new Set(
    form.datasets.flatMap((dataset) => [
      ...namesIn(dataset.visible_when),
      ...dataset.fields.flatMap((field) => [
        ...namesIn(field.visible_when),
        ...field.options.flatMap((option) => namesIn(option.visible_when)),
      ]),
    ]),
  );
}

/**
 * Returns the answers of the fields `paths`, and the answers that decide what is visible. Names and
 * addresses are not sent with a price request, and typing them requests no new price. Answers with
 * a wrong format (`faulty`) are left out.
 */
export function serialisePriced(
  form: Form,
  state: FormState,
  paths: string[],
  faulty: ReadonlySet<string> = NONE,
): SerializedProduct {
  const pathSet = new Set(paths);
  const decides = deciding(form);
  const shouldKeep: Keep = (name, dataset) =>
    pathSet.has(dataset ? `${dataset}.${name}` : name) || decides.has(name);
  const product = collect(form, state, shouldKeep);
  for (const name of Object.keys(product.values)) if (faulty.has(name)) delete product.values[name];
  for (const [dataset, instances] of Object.entries(product.multi)) {
    instances.forEach((instance, index) => {
      for (const name of Object.keys(instance)) {
        if (faulty.has(`${dataset}.${index}.${name}`)) delete instance[name];
      }
    });
  }
  return product;
}

/**
 * Returns the answers of `fields` as a text, to compare with the answers of the saved quote. A
 * different text may mean another price or another underwriting decision.
 */
export function decidingAnswers(form: Form, state: FormState, fields: string[]): string {
  return JSON.stringify(serialisePriced(form, state, fields));
}

/** Returns the answers of a saved quote in the form's shape. Leaves out values of another shape. */
export function answersFrom(values: unknown, multi: unknown): Answers {
  const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null;
  const answers: Answers = { values: isValues(values) ? { ...values } : {}, multi: {} };
  if (typeof multi !== 'object' || multi === null) return answers;
  for (const [dataset, instances] of Object.entries(multi)) {
    if (Array.isArray(instances))
      answers.multi[dataset] = instances.filter(isValues).map((each) => ({ ...each }));
  }
  return answers;
}
