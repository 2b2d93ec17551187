import { pathOf } from '../answers/answers';
import { cardKey } from '../cards/useOpenCards';
import { isMissing } from '../conditions/conditions';
import type { FieldStates, FormState } from '../conditions/visibility';
import { kindOf } from '../kinds';
import type { Dataset, Field, Form, Step, Values } from '../types';
import { instanceTitle } from '../validation/errors';
import { answerText, plainLabel } from './display';

/** An answer in a group. `question` is null if the answer needs no question. */
export interface ReviewItem {
  field: Field;
  question: string | null;
  /** Empty if a required answer is missing. */
  answer: string;
  path: string;
  value: Values[string] | undefined;
}

/** Answers that form one text: a name, an address, a covered item. */
export interface Line {
  items: ReviewItem[];
  /** The separator between the items. */
  separator: string;
}

/** The answers of one card in the review. */
export interface Group {
  /** The card's key, from `cardKey`. */
  key: string;
  title: string;
  step: number;
  /**
   * The path of the first field that the visitor may change. Undefined if there is no such field.
   */
  path?: string;
  lines: Line[];
  /** Answers that are shown with their questions. */
  rest: ReviewItem[];
}

/** The fields of a name and of an address. Each list makes one line, in this order. */
const JOINED_FIELDS: readonly (readonly string[])[] = [
  ['title', 'first_name', 'middle_name', 'last_name'],
  ['address_primary', 'postcode_primary'],
];

function lineOf(field: Field): 'name' | 'what' | 'where' | 'reached' | null {
  const line = JOINED_FIELDS.findIndex((names) => names.includes(field.name));
  if (line >= 0) return line === 0 ? 'name' : 'where';
  return kindOf(field).line ?? null;
}

/** Returns the position of a field in a joined line, or 0 for any other field. */
function placeOf({ name }: Field): number {
  const joinedNames = JOINED_FIELDS.find((names) => names.includes(name));
  return joinedNames ? joinedNames.indexOf(name) : 0;
}

const ORDER = ['name', 'what', 'where', 'reached'] as const;

function reviewItem(
  field: Field,
  value: Values[string] | undefined,
  path: string,
): ReviewItem | null {
  const answer = answerText(field, value).replace(/\s*\n\s*/g, ', ');
  if (!answer && (field.display_only || !field.required)) return null;
  const isOwnLine = lineOf(field) !== null && answer !== '';
  return { field, question: isOwnLine ? null : plainLabel(field), answer, path, value };
}

interface CardAnswers {
  dataset: Dataset;
  index?: number;
  title: string;
  step: number;
}

function groupOf(
  card: CardAnswers,
  states: FieldStates,
  values: Values,
  derived: Values,
): Group | null {
  const { dataset, index } = card;
  const shown = dataset.fields.filter((field) => states[field.name]?.visible);
  if (shown.length === 0) return null;
  const place = index === undefined ? {} : { dataset: dataset.identifier, index };
  const items = shown.flatMap((field) => {
    const own = derived[field.name];
    const path = pathOf({ ...place, field: field.name });
    return reviewItem(field, isMissing(own) ? values[field.name] : own, path) ?? [];
  });
  const lines = ORDER.map((line) => ({
    items: items
      .filter(({ field, question }) => question === null && lineOf(field) === line)
      .sort((a, b) => placeOf(a.field) - placeOf(b.field)),
    separator: line === 'name' ? ' ' : ', ',
  }));
  const first = shown.find((field) => !field.display_only && !field.locked);
  return {
    key: cardKey(dataset.identifier, index),
    title: card.title,
    step: card.step,
    path: first && pathOf({ ...place, field: first.name }),
    lines: lines.filter((line) => line.items.length > 0),
    rest: items.filter(({ question }) => question !== null),
  };
}

/** Returns the answers of these steps in the form's order. Each card is one group. */
export function groupsOf(steps: Step[], form: Form, state: FormState, derived: Values): Group[] {
  return steps.flatMap((step) =>
    form.datasets.flatMap((dataset) => {
      const shown = state.datasets[dataset.identifier];
      if (!step.datasets.includes(dataset.identifier) || !shown?.visible) return [];
      if (dataset.multi) {
        return shown.instances.flatMap((states, index) => {
          const title = instanceTitle(dataset, index);
          const values = state.multi[dataset.identifier]?.[index] ?? {};
          return groupOf({ dataset, index, title, step: step.number }, states, values, {}) ?? [];
        });
      }
      // If a step has a single dataset, the step's title is the heading.
      const title = step.datasets.length === 1 ? step.title : dataset.title;
      const card = { dataset, title, step: step.number };
      return groupOf(card, shown.fields, state.values, derived) ?? [];
    }),
  );
}

/**
 * Returns an instance's answers as one text, such as "Car, AB12 CDE, Ford Fiesta". Leaves out dates
 * and other answers that need their question. Returns null without an answer.
 */
export function itemText(dataset: Dataset, index: number, state: FormState): string | null {
  const states = state.datasets[dataset.identifier]?.instances[index];
  const values = state.multi[dataset.identifier]?.[index];
  const group =
    states && values && groupOf({ dataset, index, title: '', step: 0 }, states, values, {});
  if (!group) return null;
  const lines = group.lines.map(({ items, separator }) =>
    items.map(({ answer }) => answer).join(separator),
  );
  const names = group.rest.filter(({ field }) => field.kind === 'text').map(({ answer }) => answer);
  return [...lines, ...names].filter((text) => text !== '').join(', ') || null;
}
