/*
 * Draws the outlines of the map "Cover you can see" from Natural Earth, which is in the public
 * domain (https://www.naturalearthdata.com/about/terms-of-use), as the npm package world-atlas
 * 2.0.2 (ISC licence) holds it: the islands from its 1:10m countries, Europe from its 1:50m ones.
 * What it writes is committed, so that no build needs this and no page asks another host.
 *
 *   npm install --prefix /tmp/atlas world-atlas@2.0.2 topojson-client@3.1.0 topojson-simplify@3.0.3
 *   node scripts/outlines.mjs /tmp/atlas/node_modules
 *
 * The projection is Lambert's equal-area one. A country that is too small for an outline is a dot.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const packages = resolve(process.argv[2] ?? 'node_modules');
const require = createRequire(`${packages}/`);
const { feature, merge } = require('topojson-client');
const { presimplify, simplify } = require('topojson-simplify');

const OUT = new URL('../src/shared/map/outlines.json', import.meta.url);

/** Every map is as large as this, whatever it shows. */
const [WIDTH, HEIGHT] = [440, 400];

/** Countries by their number in the set: those that a product file can name. */
const CODES = {
  '008': 'AL', '020': 'AD', '040': 'AT', '056': 'BE', '070': 'BA', 100: 'BG', 191: 'HR', 196: 'CY',
  203: 'CZ', 208: 'DK', 233: 'EE', 246: 'FI', 250: 'FR', 276: 'DE', 292: 'GI', 300: 'GR', 348: 'HU',
  352: 'IS', 372: 'IE', 380: 'IT', 428: 'LV', 438: 'LI', 440: 'LT', 442: 'LU', 470: 'MT', 492: 'MC',
  499: 'ME', 528: 'NL', 578: 'NO', 616: 'PL', 620: 'PT', 642: 'RO', 674: 'SM', 688: 'RS', 703: 'SK',
  705: 'SI', 724: 'ES', 752: 'SE', 756: 'CH', 807: 'MK', 826: 'GB', 831: 'GG', 832: 'JE', 833: 'IM',
};

const MAPS = {
  islands: { file: 'countries-10m.json', centre: [-3.6, 55], height: 1340, least: 0.9, island: 1.2 },
  europe: { file: 'countries-50m.json', centre: [9, 53.5], height: 4330, least: 0.9, island: 2.2 },
};

/** Countries that the 1:50m set leaves out, as dots. */
const LEFT_OUT = { GI: [-5.35, 36.14] };

/** Countries smaller than this are dots as well, so that they are seen; in square units. */
const TINY = 8;

const RADIANS = Math.PI / 180;
const EARTH_KM = 6371;

function projection({ centre, height }) {
  const [l0, p0] = centre.map((degrees) => degrees * RADIANS);
  const scale = (HEIGHT / height) * EARTH_KM;
  return ([lon, lat]) => {
    const [l, p] = [lon * RADIANS - l0, lat * RADIANS];
    const cosine = Math.sin(p0) * Math.sin(p) + Math.cos(p0) * Math.cos(p) * Math.cos(l);
    const k = Math.sqrt(2 / Math.max(1 + cosine, 0.02)) * scale;
    const x = k * Math.cos(p) * Math.sin(l);
    const y = k * (Math.cos(p0) * Math.sin(p) - Math.sin(p0) * Math.cos(p) * Math.cos(l));
    return [WIDTH / 2 + x, HEIGHT / 2 - y];
  };
}

const margin = 6;

/** Whether a ring has a point in the frame. One of the far side of the earth only crosses it. */
function isNear(ring) {
  return ring.some(
    ([x, y]) => x > -margin && y > -margin && x < WIDTH + margin && y < HEIGHT + margin,
  );
}

/** Sutherland and Hodgman's clipping, a little outside of the frame so that no edge is seen. */
function clip(ring) {
  const edges = [
    [0, -margin, 1], [0, WIDTH + margin, -1], [1, -margin, 1], [1, HEIGHT + margin, -1],
  ];
  let points = ring;
  for (const [axis, limit, sign] of edges) {
    const inside = (point) => sign * (point[axis] - limit) >= 0;
    const out = [];
    for (const [index, to] of points.entries()) {
      const from = points.at(index - 1);
      if (inside(from) !== inside(to)) {
        const part = (limit - from[axis]) / (to[axis] - from[axis]);
        out.push([from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])]);
      }
      if (inside(to)) out.push(to);
    }
    points = out;
    if (points.length === 0) return [];
  }
  return points;
}

function area(ring) {
  return ring.reduce((sum, [x, y], index) => {
    const [u, v] = ring.at(index - 1);
    return sum + (u * y - x * v) / 2;
  }, 0);
}

/** A closed line in halves of a unit, each point relative to the one before. */
function line(ring) {
  const points = ring.map((point) => point.map((part) => Math.round(part * 2)));
  let [x, y] = [0, 0];
  let drawn = 0;
  let text = '';
  for (const [u, v] of points) {
    if (drawn > 0 && u === x && v === y) continue;
    const [dx, dy] = [u - x, v - y];
    text += `${['M', 'l'][drawn] ?? ' '}${dx} ${dy}`;
    drawn += 1;
    [x, y] = [u, v];
  }
  return text.replaceAll(' -', '-');
}

/** Each ring begins where it is and not where the one before ended. */
function path(rings) {
  return rings.map((ring) => `${line(ring)}z`).join('');
}

const polygons = (geometry) =>
  geometry.type === 'Polygon' ? [geometry.coordinates] : (geometry.coordinates ?? []);

function draw(map) {
  const project = projection(map);
  const topology = JSON.parse(readFileSync(`${packages}/world-atlas/${map.file}`, 'utf8'));
  const { scale, translate } = topology.transform;
  for (const arc of topology.arcs) {
    let [x, y] = [0, 0];
    for (const [index, point] of arc.entries()) {
      x += point[0];
      y += point[1];
      arc[index] = project([x * scale[0] + translate[0], y * scale[1] + translate[1]]);
    }
  }
  delete topology.transform;
  const exact = structuredClone(topology);
  const simple = simplify(presimplify(topology), map.least);
  const large = (ring) => ring.length > 3 && Math.abs(area(ring)) >= map.island;
  const rings = (geometry) =>
    polygons(geometry).flatMap((polygon) => polygon.filter(isNear).map(clip)).filter(large);

  const lands = {};
  const dots = {};
  const others = [];
  for (const [index, country] of simple.objects.countries.geometries.entries()) {
    const code = CODES[country.id];
    if (!code) {
      others.push(country);
      continue;
    }
    const whole = polygons(feature(exact, exact.objects.countries.geometries[index]).geometry);
    const biggest = whole
      .map((polygon) => (isNear(polygon[0]) ? clip(polygon[0]) : []))
      .sort((one, other) => Math.abs(area(other)) - Math.abs(area(one)))[0];
    if (!biggest || biggest.length < 3) continue;
    const drawn = rings(feature(simple, country).geometry);
    if (drawn.length > 0) lands[code] = path(drawn);
    if (Math.abs(area(biggest)) < TINY) {
      const centre = [0, 1].map(
        (axis) => biggest.reduce((sum, point) => sum + point[axis], 0) / biggest.length,
      );
      dots[code] = centre.map((part) => Math.round(part));
    }
  }
  for (const [code, place] of Object.entries(LEFT_OUT)) {
    const [x, y] = project(place).map((part) => Math.round(part));
    const seen = x > 0 && y > 0 && x < WIDTH && y < HEIGHT;
    if (seen && !lands[code]) dots[code] = [x, y];
  }
  const rest = path(rings(merge(simple, others)));
  const sorted = (named) => Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { centre: map.centre, height: map.height, lands: sorted(lands), dots: sorted(dots), rest };
}

const maps = Object.fromEntries(Object.entries(MAPS).map(([name, map]) => [name, draw(map)]));
const text = JSON.stringify({ size: [WIDTH, HEIGHT], ...maps });
writeFileSync(OUT, `${text}\n`);
for (const [name, { lands, dots, rest }] of Object.entries(maps)) {
  const drawn = Object.keys({ ...lands, ...dots }).length;
  console.info(`${name}: ${drawn} countries, ${JSON.stringify(lands).length} and ${rest.length} bytes`);
}
