import { VisuallyHidden } from '@mantine/core';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import type { CoverageLevel, CoverageMap } from '../../api/types';
import classes from './CoverMap.module.css';
import { countryList, type MapPlace, SCALES, type Scale, scaleOf, sentences } from './mapScale';
import type { Drawing } from './Outlines';

/** If the drawing can't be loaded, the map shows only the text, which says the same. */
const Outlines = lazy<ComponentType<Drawing>>(() =>
  import('./Outlines').catch(() => ({ default: () => null })),
);

const SCALE_LABELS: Readonly<Record<Scale, string>> = {
  town: 'A town',
  islands: 'These islands',
  europe: 'Europe',
};

interface Props {
  coverage: CoverageMap;
  level: CoverageLevel;
  name: string;
  /**
   * Whether the visitor has chosen the level. If so, the map starts at the level's scale. If not,
   * the map starts at `islands`.
   */
  chosen: boolean;
  /** The visitor's home. If the home is missing, a town or the islands show a sample home. */
  home?: MapPlace;
  /** Whether the map is on a dark background and needs no padding. */
  isDecorative?: boolean;
}

/** Shows a map of the countries that a level covers, and describes the cover in sentences. */
export function CoverMap({ coverage, level, name, chosen, home, isDecorative }: Props) {
  const levelScale = chosen ? scaleOf(level) : 'islands';
  const [selected, setSelected] = useState<{ levelScale: string; scale: Scale } | null>(null);
  // After a change of the level, the visitor's choice of a scale no longer counts.
  const key = `${level.value}.${levelScale}`;
  const scale = selected?.levelScale === key ? selected.scale : levelScale;
  return (
    <figure
      className={`screenOnly ${classes.map}`}
      data-scale={scale}
      data-bare={isDecorative || undefined}
    >
      <div className={classes.frame}>
        <Suspense fallback={null}>
          <Outlines coverage={coverage} level={level} scale={scale} home={home} />
        </Suspense>
      </div>
      <fieldset className={classes.scales}>
        <VisuallyHidden component="legend">How near to look</VisuallyHidden>
        {SCALES.map((each) => (
          <button
            key={each}
            type="button"
            className={classes.scale}
            aria-pressed={each === scale}
            onClick={() => setSelected({ levelScale: key, scale: each })}
          >
            {SCALE_LABELS[each]}
          </button>
        ))}
      </fieldset>
      <figcaption className={classes.caption}>
        <p className={classes.name}>{name}: where you are covered</p>
        {sentences(coverage, level).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {level.abroad.length > 0 && (
          <details>
            <summary>The {level.abroad.length} countries</summary>
            <p>{countryList(level.abroad)}</p>
          </details>
        )}
        <p className={classes.note}>{noteOf(scale, level, home)}</p>
      </figcaption>
    </figure>
  );
}

/**
 * Returns the note below the map. The note is about the lit area, the sample places, the scale, or
 * the area around the home.
 */
function noteOf(scale: Scale, level: CoverageLevel, home: MapPlace | undefined): string {
  if (scale === 'europe') return 'What is lit is where help comes.';
  const samples = home ? 'The breakdown is a sample' : 'The home and the breakdown are samples';
  if (scale === 'town') return `${samples}. Distances are to scale.`;
  return level.at_home
    ? `${samples}.`
    : `${samples}. What is left out round home is too small to see from here.`;
}
