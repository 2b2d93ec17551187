import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SerializedProduct } from '../../../api/types';
import { priceRequest } from '../price/pricing';
import { createBody } from '../saved/saving';
import { readSource, sourcePayload } from './tracking';

const product = (vehicles: number, persons = 0): SerializedProduct => ({
  product_identifier: 'any',
  values: {},
  multi: {
    vehicles: Array.from({ length: vehicles }, () => ({})),
    persons: Array.from({ length: persons }, () => ({})),
  },
});

const ENTRIES = [
  { dataset: 'vehicles', more: 0 },
  { dataset: 'persons', more: 1 },
];

const ADDRESS =
  '?utm_source=bnp&utm_campaign=fkc&utm_medium=affiliate&external_uuid=e1' +
  '&affiliate_uuid=a1&affiliate_request_uuid=r1&affiliate_extra=c1,c2&affiliate_extra=c3';

const TRACKING = {
  utm_source: 'bnp',
  utm_campaign: 'fkc',
  utm_medium: 'affiliate',
  external_uuid: 'e1',
};

const idsOf = (product: SerializedProduct, search = ADDRESS) =>
  Object.keys(sourcePayload(readSource(search), product, ENTRIES).affiliate_extra?.requests ?? {});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('where a visitor came from', () => {
  test('is kept from the first address on, and a later source takes its place', () => {
    const first = readSource(ADDRESS);
    expect(first).toEqual({
      source_tracking: TRACKING,
      affiliate_uuid: 'a1',
      affiliate_request_uuid: 'r1',
      custom_ids: ['c1', 'c2', 'c3'],
    });
    expect(readSource('')).toEqual(first);
    expect(readSource('?step=2')).toEqual(first);
    expect(readSource('?utm_source=paper')).toEqual({ source_tracking: { utm_source: 'paper' } });
    expect(readSource('')).toEqual({ source_tracking: { utm_source: 'paper' } });
  });

  test('goes with a price and with a new quote', () => {
    const extra = {
      multiple: true,
      requests: {
        c1: { affiliate_request_uuid: 'r1' },
        c2: { affiliate_request_uuid: 'r1' },
      },
    };
    const sent = {
      source_tracking: TRACKING,
      affiliate_uuid: 'a1',
      affiliate_request_uuid: 'r1',
      affiliate_extra: extra,
    };
    const source = readSource(ADDRESS);
    expect(createBody(product(2), source, ENTRIES)).toEqual({ product: product(2), ...sent });
    const { affiliate_uuid, ...price } = priceRequest(product(2), source) as object as typeof sent;
    expect(price).toMatchObject({ quote_ready: true, source_tracking: TRACKING });
    expect(affiliate_uuid).toBeUndefined();
  });

  test('is nothing where nothing was said', () => {
    expect(createBody(product(1), readSource(''), ENTRIES)).toEqual({ product: product(1) });
    expect(priceRequest(product(1), readSource(''))).toEqual({
      product_identifier: 'any',
      product: product(1),
      quote_ready: true,
    });
  });

  test('is remembered where the browser refuses to store', () => {
    vi.stubGlobal('sessionStorage', {
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
    });
    readSource('?utm_source=paper');
    expect(readSource('')).toEqual({ source_tracking: { utm_source: 'paper' } });
  });
});

describe("the affiliate's list", () => {
  test('has as many entries as vehicles, or persons and the policyholder', () => {
    expect(idsOf(product(0))).toEqual(['c1']);
    expect(idsOf(product(1, 0))).toEqual(['c1']);
    expect(idsOf(product(2))).toEqual(['c1', 'c2']);
    expect(idsOf(product(0, 1))).toEqual(['c1', 'c2']);
    expect(idsOf(product(1, 2))).toEqual(['c1', 'c2', 'c3']);
    expect(idsOf({ product_identifier: 'any', values: {}, multi: {} })).toEqual(['c1']);
  });

  test('counts what its product says', () => {
    const gadgets = { ...product(0), multi: { gadgets: [{}, {}], persons: [{}, {}, {}] } };
    const sent = (entries: typeof ENTRIES) =>
      Object.keys(
        sourcePayload(readSource(ADDRESS), gadgets, entries).affiliate_extra?.requests ?? {},
      );
    expect(sent([{ dataset: 'gadgets', more: 0 }])).toEqual(['c1', 'c2']);
    expect(sent([])).toEqual(['c1']);
  });

  test('is read with brackets and without, each id once', () => {
    expect(idsOf(product(9), '?affiliate_extra[]=a&affiliate_extra[]=b,a,,%20')).toEqual([
      'a',
      'b',
    ]);
  });
});

describe('a hostile address', () => {
  test('is cut between characters, and an id too long is none', () => {
    const long = '🦄'.repeat(300);
    const { source_tracking: tracking, ...rest } = readSource(
      `?utm_source=${long}&external_uuid=${long}&affiliate_uuid=${long}&affiliate_extra=${long}`,
    );
    expect(tracking).toEqual({ utm_source: '🦄'.repeat(200) });
    // Half of a surrogate pair can't be encoded.
    expect(() => encodeURIComponent(tracking?.utm_source ?? '')).not.toThrow();
    expect(rest).toEqual({});
  });

  test('keeps its angle brackets as plain text, and its control characters out', () => {
    expect(readSource('?utm_source=%3Cscript%3E%0d%0aSet-Cookie:%00x').source_tracking).toEqual({
      utm_source: '<script>Set-Cookie:x',
    });
  });

  test('may name its ids like parts of an object', () => {
    const source = readSource('?affiliate_extra=__proto__,constructor,toString');
    const body = JSON.stringify(createBody(product(3), source, ENTRIES));
    expect(Object.keys(JSON.parse(body).affiliate_extra.requests)).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ]);
    expect(({} as Record<string, unknown>).affiliate_request_uuid).toBeUndefined();
  });

  test('of ten kilobytes of ids stays within what a server takes', () => {
    const ids = Array.from({ length: 500 }, (_, index) => `${'é'.repeat(96)}${index}`);
    const source = readSource(
      `?affiliate_request_uuid=${'é'.repeat(200)}&affiliate_extra=${ids.join(',')}`,
    );
    expect(source.custom_ids).toHaveLength(50);
    const { affiliate_extra: extra } = sourcePayload(source, product(10, 10), ENTRIES);
    expect(Object.keys(extra?.requests ?? {})).toHaveLength(11);
    expect(new TextEncoder().encode(JSON.stringify(extra)).length).toBeLessThan(16 * 1024);
  });

  test('that was stored wrongly is no source', () => {
    sessionStorage.setItem('layby.source', '{"custom_ids":"abc","affiliate_uuid":"a1"}');
    expect(sourcePayload(readSource(''), product(3), ENTRIES)).toEqual({ affiliate_uuid: 'a1' });
    sessionStorage.setItem('layby.source', '7');
    expect(readSource('')).toEqual({});
  });
});
