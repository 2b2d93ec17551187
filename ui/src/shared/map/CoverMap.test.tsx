import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { PRODUCT } from '../../testing/products/product';
import { show } from '../../ui/testing';
import { CoverMap } from './CoverMap';
import { countryList, ISLAND_NAMES, type MapPlace } from './mapScale';
import { pointOf } from './Outlines';
import outlines from './outlines.json';

const coverage = PRODUCT.info.coverage_map;
if (!coverage) throw new Error('the fixture has no map');

const LEVELS = ['Local', 'Local and home', 'National', 'National and home', 'European'];

function level(number: number) {
  const level = coverage?.levels.find((each) => each.value === number);
  if (!level) throw new Error(`no level ${number}`);
  return level;
}

/** Shows the map of a level, and waits for the drawing. */
async function mapOf(number: number, home?: MapPlace, chosen = true) {
  if (!coverage) throw new Error('no map');
  const name = LEVELS[number - 1] ?? '';
  const { container, unmount } = show(
    <CoverMap coverage={coverage} level={level(number)} name={name} chosen={chosen} home={home} />,
  );
  const figure = screen.getByRole('figure');
  await expect.poll(() => container.querySelector('svg')).not.toBeNull();
  const reached = () =>
    [...container.querySelectorAll('[data-reached]')].map((part) =>
      part.getAttribute('data-reached'),
    );
  const scale = () =>
    within(figure)
      .getAllByRole('button')
      .filter((button) => button.getAttribute('aria-pressed') === 'true')
      .map((button) => button.textContent);
  return { figure, container, reached, scale, unmount };
}

const look = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('names countries as a browser does', () => {
  const names = new Intl.DisplayNames('en-GB', { type: 'region' });
  for (const [code, name] of Object.entries(ISLAND_NAMES)) expect(name).toBe(names.of(code));
  const lists = new Intl.ListFormat('en-GB', { type: 'conjunction' });
  const countries = ['France', 'Jersey', 'the Netherlands'];
  for (const count of [0, 1, 2, 3]) {
    expect(countryList(['FR', 'JE', 'NL'].slice(0, count))).toBe(
      lists.format(countries.slice(0, count)),
    );
  }
});

test('says in words what it draws, level by level', async () => {
  const where =
    'We come to you anywhere in the United Kingdom, the Isle of Man, Guernsey and Jersey';
  const awayText = `${where}, but not at home or within a mile of it.`;
  const tow = 'We tow you up to 10 miles from where you broke down';
  const recovery = "to one place in the mainland United Kingdom, when it can't be mended that day";
  for (const [number, first, second] of [
    [1, awayText, `${tow}.`],
    [2, `${where}, at home too.`, `${tow}.`],
    [3, awayText, `${tow}, or ${recovery}.`],
    [4, `${where}, at home too.`, `${tow}, or ${recovery}.`],
    [5, `${where}, at home too.`, `${tow}, or ${recovery}.`],
  ] as const) {
    const { figure, unmount } = await mapOf(number);
    expect(within(figure).getByText(first)).toBeTruthy();
    expect(within(figure).getByText(second)).toBeTruthy();
    expect(within(figure).queryByText(/countries abroad/) !== null).toBe(number === 5);
    unmount();
  }
});

test('takes the scale of the level, and offers the others', async () => {
  for (const [number, scale] of [
    [1, 'A town'],
    [2, 'A town'],
    [3, 'These islands'],
    [4, 'These islands'],
    [5, 'Europe'],
  ] as const) {
    const shown = await mapOf(number);
    expect(shown.scale()).toEqual([scale]);
    shown.unmount();
  }
  const before = await mapOf(1, undefined, false);
  expect(before.scale()).toEqual(['These islands']);
  await look('Europe');
  expect(before.scale()).toEqual(['Europe']);
});

test('the town shows the home only for a level with home cover', async () => {
  for (const [number, left] of [
    [1, 1],
    [2, 0],
    [3, 1],
    [4, 0],
  ] as const) {
    const { container, unmount } = await mapOf(number);
    await look('A town');
    expect(container.querySelectorAll('[data-left-out="home"]')).toHaveLength(left);
    unmount();
  }
});

test('lights no country that the level does not reach', async () => {
  const home = ['GB', 'GG', 'IM', 'JE'];
  const national = await mapOf(4);
  await look('Europe');
  expect([...new Set(national.reached())].sort()).toEqual(home);
  national.unmount();
  const european = await mapOf(5);
  expect([...new Set(european.reached())].sort()).toEqual([...home, ...level(5).abroad].sort());
  const list = within(european.figure).getByText(/^Albania/).textContent ?? '';
  expect(list.split(/, | and /)).toHaveLength(level(5).abroad.length);
  expect(list).toContain('Bosnia & Herzegovina');
  expect(list).not.toMatch(/Ukraine|Türkiye|Kosovo|Belarus|Russia/);
});

test('the tow is drawn round a sample breakdown, and says so', async () => {
  const shown = await mapOf(1);
  expect(within(shown.figure).getByText('Sample breakdown')).toBeTruthy();
  expect(within(shown.figure).getByText('10 miles')).toBeTruthy();
  const note = 'The home and the breakdown are samples. Distances are to scale.';
  expect(within(shown.figure).getByText(note)).toBeTruthy();
  await look('These islands');
  expect(within(shown.figure).getByText(/left out round home is too small/)).toBeTruthy();
});

test('home is where the visitor lives, once that is known', async () => {
  const bath = { name: 'Bath', longitude: -2.36, latitude: 51.38 };
  const shown = await mapOf(3, bath);
  expect(within(shown.figure).getByText('Bath')).toBeTruthy();
  expect(within(shown.figure).queryByText('Sample home')).toBeNull();
  expect(within(shown.figure).getByText(/^The breakdown is a sample/)).toBeTruthy();
});

test('a place has the position of the outlines', () => {
  const lizard = pointOf({ name: 'Lizard', longitude: -5.2, latitude: 49.96 }, outlines.islands);
  const wick = pointOf({ name: 'Wick', longitude: -3.09, latitude: 58.44 }, outlines.islands);
  expect(lizard.map(Math.round)).toEqual([186, 367]);
  expect(wick.map(Math.round)).toEqual([229, 86]);
});
