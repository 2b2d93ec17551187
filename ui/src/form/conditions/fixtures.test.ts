import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FORM, PRODUCT } from '../../testing/products/product';
import { pathOf } from '../answers/answers';
import { summarise } from '../review/summary';
import type { Answers, Condition, SummaryLine, Values } from '../types';
import { check } from '../validation/validate';
import { holds } from './conditions';
import { evaluate } from './visibility';

/** Reads test cases. The server's tests read the same files, so both sides must agree. */
function cases<T>(name: string): (T & { name: string })[] {
  return JSON.parse(readFileSync(`../tests/fixtures/${name}.json`, 'utf8'));
}

interface ConditionCase {
  condition: Condition;
  values: Values;
  instance?: Values;
  counts?: Values;
  expect: boolean;
}

describe('conditions', () => {
  test.each(cases<ConditionCase>('conditions'))('$name', (each) => {
    const { instance, counts = {}, values } = each;
    const lookUp = (name: string) => {
      if (instance && name in instance) return instance[name];
      return name in counts ? counts[name] : values[name];
    };
    expect(holds(each.condition, lookUp)).toBe(each.expect);
  });
});

function visiblePaths(answers: Answers): string[] {
  const state = evaluate(FORM, answers);
  return FORM.datasets.flatMap((dataset) => {
    const shown = state.datasets[dataset.identifier];
    if (!dataset.multi) {
      return dataset.fields
        .filter((field) => shown?.fields[field.name]?.visible)
        .map((field) => field.name);
    }
    return (shown?.instances ?? []).flatMap((states, index) =>
      dataset.fields
        .filter((field) => states[field.name]?.visible)
        .map((field) => pathOf({ dataset: dataset.identifier, index, field: field.name })),
    );
  });
}

describe('visibility', () => {
  test.each(cases<Answers & { visible: string[] }>('visibility'))('$name', (each) => {
    expect(visiblePaths(each)).toEqual(each.visible);
  });
});

describe('summary', () => {
  test.each(cases<Answers & { lines: SummaryLine[] }>('summary'))('$name', (each) => {
    expect(summarise(PRODUCT.info.summary, FORM, evaluate(FORM, each))).toEqual(each.lines);
  });
});

describe('characters that can not be seen', () => {
  test.each(cases<{ text: string; accepted: boolean }>('hidden_characters'))('$name', (each) => {
    const address = `1 High Street\n${each.text} Gate, Leeds`;
    const values = { first_name: each.text, address_primary: address };
    const errors = check(FORM, evaluate(FORM, { values, multi: {} }));
    const refused = ["Remove the characters that can't be seen; typing it again helps"];
    expect(errors.first_name).toEqual(each.accepted ? undefined : refused);
    expect(errors.address_primary).toEqual(each.accepted ? undefined : refused);
  });
});
