import type { PolicyRead, PolicyTerm } from '../../../api/life';
import { overlayForm } from '../../../form/overlay';
import type { Dataset, Field, Form } from '../../../form/types';
import {
  addDays,
  compareDates,
  type PlainDate,
  parseIsoDate,
  todayInLondon,
} from '../../../lib/dates';

/** The day a change begins; the wire's name for it, and no question of the product. */
export const EFFECTIVE_DATE = 'effective_date';

const WHY: Record<string, string> = {
  start_date: 'Cover that has been bought keeps its first day.',
  email_primary: 'It is your account: you change it under My Account.',
};
const WHY_ELSE = 'This stays as it was bought. Please call us if it is wrong.';

const MS_A_DAY = 86_400_000;

function daysBetween(from: PlainDate, to: PlainDate): number {
  const moment = (day: PlainDate) => Date.UTC(day.year, day.month - 1, day.day);
  return Math.round((moment(to) - moment(from)) / MS_A_DAY);
}

/** From today, or from the first day of cover that hasn't begun, to the last day. */
export function changeWindow(policy: PolicyTerm, today: PlainDate = todayInLondon()) {
  const inception = parseIsoDate(policy.inception) ?? today;
  const from = compareDates(inception, today) > 0 ? inception : today;
  const to = parseIsoDate(policy.expiry) ?? addDays(from, 0);
  return { today, from, to };
}

function effectiveDate(policy: PolicyTerm): Dataset {
  const { today, from, to } = changeWindow(policy);
  const field: Field = {
    name: EFFECTIVE_DATE,
    label: 'Start of the change',
    kind: 'date',
    value: null,
    default: null,
    visible: true,
    display_only: false,
    locked: false,
    force_hidden: false,
    required: true,
    rateable: true,
    errors: [],
    options: [],
    help: 'The new price counts from this day. What you have paid for before stays as it was.',
    validation: {
      min_date: { from: 'today', days: daysBetween(today, from) },
      max_date: { from: 'today', days: daysBetween(today, to) },
    },
  };
  return {
    id: 0,
    identifier: 'change',
    title: 'When should it change?',
    multi: false,
    min: 1,
    max: 1,
    statements: [],
    visible: true,
    fields: [field],
  };
}

/** What was agreed to when it was bought: a box that had to be ticked, and what stands with it. */
function isAgreement(dataset: Dataset): boolean {
  return dataset.fields.some((field) => field.kind === 'checkbox' && field.required);
}

export interface ChangeForm {
  form: Form;
  /** Statements that must still be true after the change. */
  statements: string[];
}

/** The product's form as a change may use it: what is settled is locked, and says why. */
export function changeForm(product: Form, read: PolicyRead, policy: PolicyTerm): ChangeForm {
  const locked = new Set(policy.locked ?? []);
  const form = overlayForm(product, read);
  const datasets = form.datasets
    .filter((dataset) => !isAgreement(dataset))
    .map((dataset) => ({
      ...dataset,
      fields: dataset.fields.map((field) => {
        const name = dataset.multi ? `${dataset.identifier}.${field.name}` : field.name;
        if (!locked.has(name)) return field;
        const help = WHY[field.name] ?? WHY_ELSE;
        return { ...field, locked: true, display_only: true, help };
      }),
    }));
  return {
    form: { ...form, datasets: [...datasets, effectiveDate(policy)] },
    statements: form.datasets.filter(isAgreement).flatMap((dataset) => dataset.statements),
  };
}
