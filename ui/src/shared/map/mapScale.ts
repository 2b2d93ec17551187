import type { CoverageLevel, CoverageMap } from '../../api/types';

/** The scales of the map, from the nearest view to the widest. */
export const SCALES = ['town', 'islands', 'europe'] as const;

export type Scale = (typeof SCALES)[number];

/** A place, with its position in degrees. */
export interface MapPlace {
  name: string;
  longitude: number;
  latitude: number;
}

/**
 * Returns Europe for a level with help abroad, the islands for a level with recovery, or a town.
 */
export function scaleOf(level: CoverageLevel): Scale {
  if (level.abroad.length > 0) return 'europe';
  return level.recovery ? 'islands' : 'town';
}

/**
 * The names of the countries of the British Isles. Most levels name no other countries. So the
 * browser need not load its own names. Loading them takes about 0.1 seconds on a phone.
 */
export const ISLAND_NAMES: Readonly<Record<string, string>> = {
  GB: 'United Kingdom',
  GG: 'Guernsey',
  IE: 'Ireland',
  IM: 'Isle of Man',
  JE: 'Jersey',
};

let names: Intl.DisplayNames | undefined;

function browserName(code: string): string | undefined {
  names ??= new Intl.DisplayNames('en-GB', { type: 'region' });
  return names.of(code);
}

/** Names that need an article in a sentence. */
const WITH_ARTICLE = /^(United|Isle|Netherlands)/;

function nameOf(code: string): string {
  const name = ISLAND_NAMES[code] ?? browserName(code) ?? code;
  return WITH_ARTICLE.test(name) ? `the ${name}` : name;
}

export function countryList(codes: string[]): string {
  const all = codes.map(nameOf);
  const last = all.pop() ?? '';
  return all.length > 0 ? `${all.join(', ')} and ${last}` : last;
}

function miles(count: number): string {
  return count === 1 ? 'a mile' : `${count} miles`;
}

/** Returns the sentences that describe the cover of a level. */
export function sentences(coverage: CoverageMap, level: CoverageLevel): string[] {
  const areaText = `anywhere in ${countryList(coverage.countries)}`;
  const home = level.at_home
    ? 'at home too'
    : `but not at home or within ${miles(coverage.home_miles)} of it`;
  const sentences = [
    `We come to you ${areaText}, ${home}.`,
    `We tow you up to ${miles(coverage.tow_miles)} from where you broke down${
      level.recovery ? `, or ${level.recovery}` : ''
    }.`,
  ];
  if (level.abroad.length > 0) {
    sentences.push(`In ${level.abroad.length} countries abroad: ${level.abroad_help}.`);
  }
  return sentences;
}
