import { VisuallyHidden } from '@mantine/core';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import type { CoverageLevel, CoverageMap } from '../../api/types';
import classes from './CoverMap.module.css';
import { countryList, type MapPlace, SCALES, type Scale, scaleOf, sentences } from './mapScale';
import type { Drawing } from './Outlines';

/** A drawing that can't be loaded is left out: the text says the same. */
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
  /** The name of the level. */
  name: string;
  /** Whether the visitor has chosen the level. The map then takes its scale. */
  chosen: boolean;
  /** The visitor's home. Without it the map shows a sample home, and says so. */
  home?: MapPlace;
  /** Whether the map already stands on a dark ground. */
  isDecorative?: boolean;
}

/** Shows a map of the countries that a level covers, with the same in words. */
export function CoverMap({ coverage, level, name, chosen, home, isDecorative }: Props) {
  const levelScale = chosen ? scaleOf(level) : 'islands';
  const [selected, setSelected] = useState<{ levelScale: string; scale: Scale } | null>(null);
  // Another level shows its own scale again.
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

/** Returns the notes on samples and on countries that are too small to see. */
function noteOf(scale: Scale, level: CoverageLevel, home: MapPlace | undefined): string {
  if (scale === 'europe') return 'What is lit is where help comes.';
  const samples = home ? 'The breakdown is a sample' : 'The home and the breakdown are samples';
  if (scale === 'town') return `${samples}. Distances are to scale.`;
  return level.at_home
    ? `${samples}.`
    : `${samples}. What is left out round home is too small to see from here.`;
}
