import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show } from '../../components/testing';
import { datasetNamed } from '../../testing/products/product';
import { Tiers } from './Tiers';

const level = datasetNamed('cover').fields.find((field) => field.name === 'cover_level');

const headings = () => screen.getAllByRole('columnheader').map((cell) => cell.textContent);

test('the comparison marks the level that was chosen, and none before that', () => {
  if (!level) throw new Error('no level');
  const { unmount } = show(<Tiers field={level} chosen={null} />);
  expect(headings()).toEqual([
    'Local',
    'Local and home',
    'National',
    'National and home',
    'European',
  ]);
  unmount();
  show(<Tiers field={level} chosen={3} />);
  expect(headings()[2]).toBe('NationalYour choice');
  expect(screen.getAllByText('Your choice')).toHaveLength(1);
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
  show(<Tiers field={{ ...level, options }} chosen={null} />);
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
