import { holds, isMissing, type LookUp } from '../conditions/conditions';
import type { FormState } from '../conditions/visibility';
import type { Field, Form, ProductInfo, SummaryLine, SummaryRule, Values } from '../types';
import { displayValue } from './display';

const PLACEHOLDER = /\{([a-z0-9_]+)(?:\.([a-z0-9_]+))?\}/gi;

function fieldOf(form: Form, name: string, dataset?: string): Field | undefined {
  for (const each of form.datasets) {
    if (dataset ? each.identifier !== dataset : each.multi) continue;
    const field = each.fields.find((candidate) => candidate.name === name);
    if (field) return field;
  }
  return undefined;
}

function textOf(field: Field | undefined, values: Values, name: string): string {
  const value = values[name];
  if (isMissing(value)) return '';
  return field ? displayValue(field, value) : String(value);
}

/**
 * Fills a template. Returns null if the template has placeholders, and all placeholders are empty.
 */
function fill(template: string, form: Form, state: FormState): string | null {
  let placeholders = 0;
  let filled = 0;
  const text = template.replace(PLACEHOLDER, (_, first: string, second?: string) => {
    placeholders += 1;
    const value = second
      ? (state.multi[first] ?? [])
          .map((instance) => textOf(fieldOf(form, second, first), instance, second))
          .filter(Boolean)
          .join(', ')
      : textOf(fieldOf(form, first), state.values, first);
    if (value) filled += 1;
    return value;
  });
  return placeholders > 0 && filled === 0 ? null : text;
}

/** Returns the "Your Policy" lines, in the product's order. */
export function summarise(rules: SummaryRule[], form: Form, state: FormState): SummaryLine[] {
  const lookUp: LookUp = (name) => state.values[name];
  return rules.flatMap((rule) => {
    if (rule.when && !holds(rule.when, lookUp)) return [];
    const text = fill(rule.text, form, state);
    if (text === null) return [];
    return [{ code: rule.code, text: rule.upper ? text.toLocaleUpperCase('en-GB') : text }];
  });
}

/** Returns the demands-and-needs sentences for these answers. */
export function needsOf(rules: ProductInfo['needs'], form: Form, state: FormState): string[] {
  const lookUp: LookUp = (name) => state.values[name];
  return rules.flatMap((rule) => {
    if (rule.when && !holds(rule.when, lookUp)) return [];
    const text = fill(rule.text, form, state);
    return text === null ? [] : [text];
  });
}
