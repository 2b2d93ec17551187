import { useCallback, useEffect, useState } from 'react';
import type { StatusId } from '../../../api/types';
import { readStored, writeStored } from '../../../lib/storage/storage';
import { columnsOf, type ListMode, MODES, offeredStatuses, type SortKey } from './modes';

export const PAGE_SIZE = 10;

export interface ListFilter {
  policyHolder: string;
  policyReference: string;
  /**
   * The identifiers of products. The API filters by one product only, so the list has at most one.
   */
  products: string[];
  statuses: StatusId[];
}

/** The settings of a list, stored in the browser under these names. */
export interface ListSettings {
  descending: boolean;
  filter: ListFilter;
  /** The page's number in the API: 0 for the first page, 2 for the second. */
  page: number;
  rowsPerPage: number;
  rowsPerPageItems: number[];
  sortBy: SortKey;
  totalItems: number;
  totalPages: number;
}

export type Order = Pick<ListSettings, 'sortBy' | 'descending'>;

export const NEWEST_FIRST: Order = { sortBy: 'id', descending: true };

export function noFilter(mode: ListMode): ListFilter {
  return {
    policyHolder: '',
    policyReference: '',
    products: [],
    statuses: [...MODES[mode].statuses],
  };
}

export function defaultSettings(mode: ListMode): ListSettings {
  return {
    ...NEWEST_FIRST,
    filter: noFilter(mode),
    page: 0,
    rowsPerPage: PAGE_SIZE,
    rowsPerPageItems: [PAGE_SIZE],
    totalItems: 0,
    totalPages: 0,
  };
}

/** Checks whether the chosen statuses are the default statuses of the list. */
export function isDefault(mode: ListMode, chosen: readonly StatusId[]): boolean {
  const { statuses } = MODES[mode];
  return chosen.length === statuses.length && statuses.every((status) => chosen.includes(status));
}

export function filtersInUse(mode: ListMode, filter: ListFilter): number {
  return [
    filter.policyHolder,
    filter.policyReference,
    filter.products.length > 0,
    !isDefault(mode, filter.statuses),
  ].filter(Boolean).length;
}

type Unknown<T> = { [K in keyof T]?: unknown };

const text = (value: unknown) => (typeof value === 'string' ? value.trim().slice(0, 100) : '');
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const count = (value: unknown) => (Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0);
const object = <T>(value: unknown): Unknown<T> =>
  typeof value === 'object' && value !== null ? value : {};

function parseFilter(stored: unknown, mode: ListMode): ListFilter {
  const filter = object<ListFilter>(stored);
  const statuses = offeredStatuses(mode).filter((status) => list(filter.statuses).includes(status));
  const product = list(filter.products).find((item) => typeof item === 'string' && item !== '');
  return {
    policyHolder: text(filter.policyHolder),
    policyReference: text(filter.policyReference),
    products: product === undefined ? [] : [String(product)],
    statuses: statuses.length > 0 ? statuses : noFilter(mode).statuses,
  };
}

/** Parses stored settings. Replaces invalid values by the defaults. */
export function parseSettings(stored: unknown, mode: ListMode): ListSettings {
  const settings = object<ListSettings>(stored);
  const column = columnsOf(mode, true).find(({ key }) => key === settings.sortBy);
  const order =
    column && typeof settings.descending === 'boolean'
      ? { sortBy: column.key, descending: settings.descending }
      : NEWEST_FIRST;
  return {
    ...defaultSettings(mode),
    ...order,
    filter: parseFilter(settings.filter, mode),
    page: toApiPage(count(settings.page)),
    totalItems: count(settings.totalItems),
    totalPages: count(settings.totalPages),
  };
}

/**
 * Returns the page's number in the API: 0 for the first page, and the given number for any other.
 */
export function toApiPage(page: number): number {
  return page <= 1 ? 0 : page;
}

export function shownPage(settings: ListSettings): number {
  return Math.max(1, settings.page);
}

/**
 * Returns the order after a click on a column's heading: first ascending, then descending, then the
 * default order.
 */
export function nextOrder({ sortBy, descending }: Order, key: SortKey): Order {
  if (sortBy !== key) return { sortBy: key, descending: false };
  return descending ? NEWEST_FIRST : { sortBy: key, descending: true };
}

/**
 * Returns the storage key of a user's settings. Each user has a separate key, because the next user
 * of this computer must not see a typed filter.
 */
export const settingsKey = (user: string, mode: ListMode) =>
  `layby.pagination.${user}.${MODES[mode].route}`;

/**
 * Reads the filters, order and page of a list, and stores them between visits. Stores nothing
 * without a user.
 */
export function useListSettings(user: string | null, mode: ListMode) {
  const [settings, setSettings] = useState(() =>
    parseSettings(user ? readStored<unknown>(settingsKey(user, mode)) : null, mode),
  );
  const change = useCallback(
    (patch: Partial<ListSettings>) => setSettings((last) => ({ ...last, ...patch })),
    [],
  );
  useEffect(() => {
    if (user) writeStored(settingsKey(user, mode), settings);
  }, [user, mode, settings]);

  return {
    settings,
    change,
    sort: (order: Order) => change({ ...order, page: 0 }),
    filter: (patch: Partial<ListFilter>) =>
      setSettings((last) => ({ ...last, filter: { ...last.filter, ...patch }, page: 0 })),
  };
}
