import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { datasetNamed } from '../../../testing/products/product';
import { show } from '../../../ui/testing';
import { LevelComparison } from './LevelComparison';

const level = datasetNamed('cover').fields.find((field) => field.name === 'cover_level');

const headings = () => screen.getAllByRole('columnheader').map((cell) => cell.textContent);

test('the comparison marks the level that was chosen, and none before that', () => {
  if (!level) throw new Error('no level');
  const { unmount } = show(<LevelComparison field={level} chosen={null} />);
  expect(headings()).toEqual([
    'Local',
    'Local and home',
    'National',
    'National and home',
    'European',
  ]);
  unmount();
  show(<LevelComparison field={level} chosen={3} />);
  expect(headings()[2]).toBe('NationalYour choice');
  expect(screen.getAllByText('Your choice')).toHaveLength(1);
});

test('each level has its price in the comparison, and is chosen there', async () => {
  if (!level) throw new Error('no level');
  const onChoose = vi.fn();
  const priceOf = (option: { value: unknown }) => <span>£{String(option.value)}0</span>;
  show(<LevelComparison field={level} chosen={3} priceOf={priceOf} onChoose={onChoose} />);
  const prices = within(screen.getByRole('row', { name: /^Price/ })).getAllByRole('cell');
  expect(prices.map((cell) => cell.textContent)).toEqual(['£10', '£20', '£30', '£40', '£50']);
  await userEvent.click(screen.getByRole('button', { name: 'Choose European' }));
  expect(onChoose).toHaveBeenCalledWith(5);
  expect(screen.getByRole('button', { name: 'Chosen National' })).toBeTruthy();
});

test('a level has what it names of another', () => {
  if (!level) throw new Error('no level');
  const option = (value: number, label: string, includes: string[]) => ({
    value,
    label,
    text: label,
    includes,
  });
  const options = [
    option(1, 'Essentials', ['Damage', 'Breakdown']),
    option(2, 'Complete', ['Everything in Essentials', 'Theft']),
  ];
  show(<LevelComparison field={{ ...level, options }} chosen={null} />);
  const rows = screen.getAllByRole('row').slice(1);
  const ticks = rows.map((row) => [
    within(row).getByRole('rowheader').textContent,
    ...within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent === 'Included'),
  ]);
  expect(ticks).toEqual([
    ['Damage', true, true],
    ['Breakdown', true, true],
    ['Theft', false, true],
  ]);
});
