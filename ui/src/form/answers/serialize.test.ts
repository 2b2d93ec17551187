import { describe, expect, test } from 'vitest';
import { COMPLETE, FORM, PRODUCT } from '../../testing/products/product';
import { evaluate } from '../conditions/visibility';
import { answersFrom, serialise, serialisePriced } from './serialize';

const NONE: ReadonlySet<string> = new Set();

describe('a serialised product', () => {
  test('holds the visible answers, trimmed', () => {
    const answers = {
      values: { ...COMPLETE.values, first_name: ' Ann ', cover_length: 2, middle_name: '' },
      multi: { ...COMPLETE.multi, persons: [{ first_name: 'Stale' }], trips: [{}] },
    };
    const product = serialise(FORM, evaluate(FORM, answers));
    expect(product.product_identifier).toBe('breakdown');
    expect(product.values.first_name).toBe('Ann');
    expect(product.values).not.toHaveProperty('cover_length');
    expect(product.values).not.toHaveProperty('middle_name');
    expect(Object.keys(product.multi)).toEqual(['vehicles']);
  });

  test('for a price it carries no name, address or registration', () => {
    const state = evaluate(FORM, COMPLETE);
    const product = serialisePriced(FORM, state, PRODUCT.info.watch, NONE);
    expect(product.values).toEqual({
      cover_type: 2,
      cover_level: 3,
      excess: 2,
      start_date: '22.11.2026',
    });
    expect(product.multi).toEqual({
      vehicles: [{ vehicle_type: 1, vehicle_registration_date: '01.03.2015' }],
    });
  });

  test('a price request leaves out an incomplete answer', () => {
    const state = evaluate(FORM, COMPLETE);
    const faulty = new Set(['start_date', 'vehicles.0.vehicle_registration_date']);
    const product = serialisePriced(FORM, state, PRODUCT.info.watch, faulty);
    expect(product.values).not.toHaveProperty('start_date');
    expect(product.multi.vehicles).toEqual([{ vehicle_type: 1 }]);
  });

  test('is read back as the same answers', () => {
    const product = serialise(FORM, evaluate(FORM, COMPLETE));
    expect(answersFrom(product.values, product.multi)).toEqual(COMPLETE);
    expect(answersFrom(null, undefined)).toEqual({ values: {}, multi: {} });
  });
});
