import type { CoverageLevel, CoverageMap } from '../../api/types';
import type { MapPlace, Scale } from './mapScale';
import classes from './Outlines.module.css';
import outlines from './outlines.json';

const [WIDTH, HEIGHT] = outlines.size as [number, number];

/** The length of a mile in the drawing of a town. The drawing is 26 miles high. */
const MILE = HEIGHT / 26;
const KM_A_MILE = 1.609;

type Point = readonly [number, number];

/** Sample places on the map of the islands. */
const HOME: MapPlace = { name: 'Leeds', longitude: -1.55, latitude: 53.8 };
const BREAKDOWN: MapPlace = { name: 'Exeter', longitude: -3.53, latitude: 50.72 };

const TOWN = { home: [98, 322], breakdown: [256, 186], garage: [318, 116] } as const;

/** The main road and the other roads of an invented town. */
const MAIN_ROAD = 'M-10 396C40 360 70 346 98 322S150 238 196 214S300 150 318 116S352 30 400-10';
const ROADS =
  'M98 322C60 280 40 200-10 176M98 322C150 330 220 372 236 410M196 214C176 150 120 80 126-10M256 186C310 220 380 230 450 226M318 116C270 90 200 84-10 62M318 116C360 130 410 120 450 92M226 384C290 330 350 320 450 330';

interface Shape {
  lands: Readonly<Record<string, string>>;
  dots: Readonly<Record<string, readonly number[]>>;
  rest: string;
  centre: readonly number[];
  height: number;
}

/**
 * Returns the position of a place on a map, in the drawing's units. The projection is Lambert's
 * azimuthal equal-area projection, as in outlines.json.
 */
export function pointOf(
  place: MapPlace,
  map: { centre: readonly number[]; height: number },
): Point {
  const radians = Math.PI / 180;
  const [east = 0, north = 0] = map.centre.map((degrees) => degrees * radians);
  const l = place.longitude * radians - east;
  const p = place.latitude * radians;
  const nearness = Math.sin(north) * Math.sin(p) + Math.cos(north) * Math.cos(p) * Math.cos(l);
  const k = Math.sqrt(2 / (1 + nearness)) * (HEIGHT / map.height) * 6371;
  const x = k * Math.cos(p) * Math.sin(l);
  const y = k * (Math.cos(north) * Math.sin(p) - Math.sin(north) * Math.cos(p) * Math.cos(l));
  return [WIDTH / 2 + x, HEIGHT / 2 - y];
}

export interface Drawing {
  coverage: CoverageMap;
  level: CoverageLevel;
  scale: Scale;
  /** The visitor's home, if it is known. */
  home?: MapPlace;
}

/** Draws the map as decoration: the text beside the map says the same. */
export default function Outlines({ coverage, level, scale, home }: Drawing) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={classes.drawing}
      aria-hidden="true"
      focusable="false"
    >
      {scale === 'town' ? (
        <Town coverage={coverage} level={level} home={home} />
      ) : (
        <Countries
          key={scale}
          coverage={coverage}
          level={level}
          home={home}
          map={outlines[scale]}
        />
      )}
    </svg>
  );
}

function Town({ coverage, level, home }: Omit<Drawing, 'scale'>) {
  const tow = coverage.tow_miles * MILE;
  return (
    <g className={classes.scene}>
      <rect width={WIDTH} height={HEIGHT} className={classes.lit} data-reached="town" />
      <path d={ROADS} className={classes.road} />
      <path d={MAIN_ROAD} className={classes.road} data-main />
      {!level.at_home && (
        <circle
          cx={TOWN.home[0]}
          cy={TOWN.home[1]}
          r={coverage.home_miles * MILE}
          className={classes.hole}
          data-left-out="home"
        />
      )}
      <circle cx={TOWN.breakdown[0]} cy={TOWN.breakdown[1]} r={tow} className={classes.ring} />
      <Route from={TOWN.breakdown} to={TOWN.garage} bend={-14} />
      <Pin point={TOWN.home} label={home?.name ?? 'Sample home'} isBelow />
      <Pin point={TOWN.garage} label="Garage" />
      <Pin point={TOWN.breakdown} label="Sample breakdown" lamp isBelow />
      <Label position={[TOWN.breakdown[0], TOWN.breakdown[1] + tow - 12]}>
        {coverage.tow_miles === 1 ? '1 mile' : `${coverage.tow_miles} miles`}
      </Label>
      {level.recovery && (
        <g>
          <Route from={TOWN.breakdown} to={[420, 8]} bend={30} />
          <path
            d="M-9-9L0 0L-9 9"
            transform="translate(424 5) rotate(-52)"
            className={classes.head}
          />
        </g>
      )}
    </g>
  );
}

function Countries({ coverage, level, home, map }: Omit<Drawing, 'scale'> & { map: Shape }) {
  const reached = new Set([...coverage.countries, ...level.abroad]);
  const homePoint = pointOf(home ?? HOME, map);
  const from = pointOf(BREAKDOWN, map);
  const unit = HEIGHT / map.height;
  const isNear = map.height < 2000;
  return (
    <g className={classes.scene}>
      <g transform="scale(0.5)">
        <path d={map.rest} className={classes.land} />
        {Object.entries(map.lands).map(([code, line]) => (
          <path
            key={code}
            d={line}
            className={reached.has(code) ? classes.lit : classes.land}
            data-reached={reached.has(code) ? code : undefined}
          />
        ))}
      </g>
      {Object.entries(map.dots).map(([code, [x, y]]) => (
        <circle
          key={code}
          cx={x}
          cy={y}
          r={3}
          className={reached.has(code) ? classes.lit : classes.land}
          data-reached={reached.has(code) ? code : undefined}
        />
      ))}
      {isNear && (
        <>
          <circle
            cx={from[0]}
            cy={from[1]}
            r={coverage.tow_miles * KM_A_MILE * unit}
            className={classes.ring}
          />
          {level.recovery && <Route from={from} to={homePoint} bend={-34} />}
          <Pin point={from} label="Sample breakdown" lamp isBelow />
          <Pin point={homePoint} label={home?.name ?? 'Sample home'} isAside />
        </>
      )}
    </g>
  );
}

/** Draws the curved path of a tow or a recovery. */
function Route({ from, to, bend }: { from: Point; to: Point; bend: number }) {
  const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2 + bend];
  const line = `M${from[0]} ${from[1]}Q${x} ${y} ${to[0]} ${to[1]}`;
  return (
    <>
      <path d={line} className={classes.casing} />
      <path d={line} className={classes.tow} />
    </>
  );
}

function Pin(props: {
  point: Point;
  label: string;
  lamp?: boolean;
  /** Whether the label is below the pin. The default is above. */
  isBelow?: boolean;
  /** Whether the label is above and to the right of the pin. */
  isAside?: boolean;
}) {
  const [x, y] = props.point;
  return (
    <>
      <circle
        cx={x}
        cy={y}
        r={props.lamp ? 7 : 5.5}
        className={classes.pin}
        data-lamp={props.lamp}
      />
      <Label position={[props.isAside ? x + 70 : x, props.isBelow ? y + 31 : y - 17]}>
        {props.label}
      </Label>
    </>
  );
}

function Label({ position: point, children }: { position: Point; children: string }) {
  // Estimates the label's width from the average width of a letter.
  const width = children.length * 8.6 + 14;
  const x = Math.min(Math.max(point[0], width / 2 + 6), WIDTH - width / 2 - 6);
  return (
    <g transform={`translate(${x} ${point[1]})`}>
      <rect x={-width / 2} y={-17} width={width} height={24} rx={6} className={classes.tag} />
      <text className={classes.label}>{children}</text>
    </g>
  );
}
