import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../api/client';
import { COMPLETE, FORM } from '../../testing/products/product';
import type { Errors } from '../types';
import { useForm } from './useForm';

const filled = (errors?: Errors) =>
  renderHook(() =>
    useForm<'save'>({ form: FORM, start: { answers: COMPLETE, errors }, open: false }),
  );

test('one task at a time: a second one meanwhile does nothing', async () => {
  const { result } = filled();
  let finish = () => {};
  const first = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const second = vi.fn();
  let running: Promise<void> = Promise.resolve();
  act(() => {
    running = result.current.run('save', first, () => {});
    void result.current.run('save', second, () => {});
  });
  expect(result.current.busy).toBe('save');
  finish();
  await act(() => running);
  expect(result.current.busy).toBeNull();
  expect(first).toHaveBeenCalledTimes(1);
  expect(second).not.toHaveBeenCalled();
});

test("shows the server's refusal, and throws any other failure", async () => {
  const { result } = filled();
  const refused = vi.fn();
  const refusal = new ApiError(422, 'No');
  await act(() => result.current.run('save', () => Promise.reject(refusal), refused));
  expect(refused).toHaveBeenCalledWith(refusal);
  await act(async () => {
    const failing = result.current.run('save', () => Promise.reject(new Error('lost')), refused);
    await expect(failing).rejects.toThrow('lost');
  });
  expect(result.current.busy).toBeNull();
});

test('a card with an error shows it at the field', () => {
  const { result } = filled();
  act(() => result.current.api.change('first_name', ''));
  let faults: Errors | null = null;
  act(() => {
    faults = result.current.faultsOfCard('policyholder');
  });
  expect(Object.keys(faults ?? {})).toEqual(['first_name']);
  expect(Object.keys(result.current.checked)).toEqual(['first_name']);
});

test('errors open their cards; the first one in the order of the form is where to go', () => {
  const errors = { last_name: ['x'], first_name: ['y'], 'no such field': ['z'] };
  const { result } = filled(errors);
  let first: string | undefined;
  act(() => {
    first = result.current.openErrors(errors);
  });
  expect(first).toBe('first_name');
  expect(result.current.cards.anyOpen).toBe(true);
});

test('a card is open or closed for its own answers, whatever card above it is removed', () => {
  const { result } = filled();
  act(() => result.current.api.add('vehicles'));
  act(() => result.current.cards.begin('vehicles.1'));
  act(() => result.current.api.remove('vehicles', 0));
  expect(result.current.cards.isOpen('vehicles.0')).toBe(true);
  expect(result.current.cards.isNew('vehicles.0')).toBe(true);
  expect(result.current.cards.isOpen('vehicles.1')).toBe(false);
});
