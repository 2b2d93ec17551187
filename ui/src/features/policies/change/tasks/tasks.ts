import type { PolicyRead, PolicyTerm } from '../../../../api/policies/policyTypes';
import { canAdd } from '../../../../form/answers/answers';
import { answersFrom } from '../../../../form/answers/serialize';
import { evaluate, type FormState } from '../../../../form/conditions/visibility';
import type { Condition, Dataset, Field, Form } from '../../../../form/types';
import { changeForm } from '../form/changeForm';

/** The parameter of the address with the name of the task. */
export const TASK = 'task';

/** A common change, with the part of the form that the change needs. */
export interface Task {
  /** The task's name in the address. */
  id: string;
  label: string;
  kind: 'add' | 'swap' | 'move' | 'level';
  /** The dataset whose instances the task adds or swaps. */
  dataset?: Dataset;
  /** The names of the task's fields, by the identifier of their dataset. */
  needs: Map<string, Set<string>>;
}

const MOVING: readonly Field['kind'][] = ['postcode', 'address_lookup', 'address'];

const withArticle = (noun: string) => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

const allOf = ({ identifier, fields }: Dataset) =>
  [identifier, new Set(fields.map((field) => field.name))] as const;

function names(condition: Condition | undefined): string[] {
  if (!condition) return [];
  const parts = [...(condition.all ?? []), ...(condition.any ?? []), condition.not];
  const inner = parts.flatMap((part) => (part ? names(part) : []));
  return condition.field === undefined ? inner : [condition.field, ...inner];
}

/**
 * Returns the question about the level of cover. This is the last visible question with cards that
 * affects the price, outside repeatable datasets. Returns undefined if there is no such question.
 */
export function levelOf(form: Form, state: FormState): Field | undefined {
  const fields = form.datasets.flatMap((dataset) => {
    const shown = dataset.multi ? undefined : state.datasets[dataset.identifier];
    return dataset.fields.filter((field) => shown?.fields[field.name]?.visible);
  });
  return fields.filter((field) => field.kind === 'cards' && field.rateable).at(-1);
}

/**
 * Returns the question about the level, and the editable questions whose visibility depends on the
 * level, also indirectly. Either the question has the condition and is in the level's dataset, or
 * the question's dataset has the condition.
 */
function levelNeeds(form: Form, level: Field): Task['needs'] {
  const seen = new Set([level.name]);
  const needs: Task['needs'] = new Map();
  for (const dataset of form.datasets) {
    const dependsOnKnown = names(dataset.visible_when ?? undefined).some((name) => seen.has(name));
    const sharesDataset = dataset.fields.includes(level);
    const own = dataset.fields.filter(
      (field) =>
        dependsOnKnown ||
        field === level ||
        (sharesDataset && names(field.visible_when ?? undefined).some((name) => seen.has(name))),
    );
    const editable = own.filter((field) => !field.display_only && !field.locked);
    if (editable.length === 0) continue;
    needs.set(dataset.identifier, new Set(editable.map((field) => field.name)));
    if (!dataset.multi) for (const field of editable) seen.add(field.name);
  }
  return needs;
}

/** Derives the tasks of a form from the kinds of its fields and its repeatable datasets. */
export function tasksOf(form: Form, state: FormState): Task[] {
  const tasks: Task[] = [];
  for (const dataset of form.datasets) {
    const shown = state.datasets[dataset.identifier];
    const free = dataset.fields.some((field) => !field.locked && !field.display_only);
    if (!dataset.multi || !dataset.noun || !shown?.visible || !free) continue;
    const needs = new Map([allOf(dataset)]);
    const count = shown.instances.length;
    const noun = withArticle(dataset.noun);
    const subject = { dataset, needs };
    if (canAdd(dataset, count)) {
      tasks.push({
        id: `add-${dataset.identifier}`,
        label: `Add ${noun}`,
        kind: 'add',
        ...subject,
      });
    }
    // Only the items of a required dataset have a swap task. The customer can remove other items
    // and add new ones.
    if (dataset.min > 0 && count > 0) {
      tasks.push({
        id: `swap-${dataset.identifier}`,
        label: `Swap ${noun}`,
        kind: 'swap',
        ...subject,
      });
    }
  }
  const home = form.datasets.flatMap((dataset) => {
    const moving = dataset.fields.filter((field) => MOVING.includes(field.kind) && !field.locked);
    if (dataset.multi || moving.length === 0 || !state.datasets[dataset.identifier]?.visible)
      return [];
    return [[dataset.identifier, new Set(moving.map((field) => field.name))] as const];
  });
  if (home.length > 0) {
    tasks.push({ id: 'move', label: 'Move house', kind: 'move', needs: new Map(home) });
  }
  const level = levelOf(form, state);
  if (level && !level.locked) {
    const needs = levelNeeds(form, level);
    tasks.push({ id: 'level', label: 'Change level', kind: 'level', needs });
  }
  return tasks;
}

/**
 * Returns the tasks for a policy with its current answers. Returns an empty list if the customer
 * can't change the policy.
 */
export function policyTasks(product: Form, read: PolicyRead, policy: PolicyTerm): Task[] {
  if (!policy.can.change) return [];
  const { form } = changeForm(product, read, policy);
  return tasksOf(form, evaluate(form, answersFrom(read.values, read.multi)));
}

/**
 * Returns the datasets with only the fields that a task needs. Without a task, returns all
 * datasets.
 */
export function fieldsForTask(form: Form, task: Task | undefined): Dataset[] {
  if (!task) return form.datasets;
  return form.datasets.flatMap((dataset) => {
    const neededFields = task.needs.get(dataset.identifier);
    if (!neededFields) return [];
    return [{ ...dataset, fields: dataset.fields.filter((field) => neededFields.has(field.name)) }];
  });
}
