import { useEffect, useState } from 'react';
import type { SWRConfiguration } from 'swr';
import { address, api } from '../../../api/client';
import type { ListPage } from '../../../api/types';
import { useAccountData } from '../useAccountData';
import { type ListMode, type ListQuery, MODES } from './modes';
import { type ListSettings, shownPage } from './settings';

/**
 * The minimum time for which the placeholder is shown, in milliseconds. A placeholder with a
 * shorter time would flash.
 */
export const LOADED_MS = 300;

const LIST = '/api/v2/policy/list';

/** Builds the query of the list's call, without empty filters. */
function queryOf(mode: ListMode, settings: ListSettings): ListQuery {
  const { filter } = settings;
  return {
    page: settings.page,
    limit: settings.rowsPerPage,
    sortBy: settings.sortBy,
    desc: settings.descending,
    productID: filter.products[0],
    policyID: filter.policyReference || undefined,
    policyHolder: filter.policyHolder || undefined,
    'quoteStatus[]': filter.statuses,
    ...MODES[mode].flags,
  };
}

interface ListAnswer extends ListPage {
  /** The address of the call that returned this response. */
  path: string;
}

/** Reads a page of a list. SWR caches the page by the address of the call. */
export function useListPage(query: ListQuery, config: SWRConfiguration<ListAnswer> = {}) {
  const path = address(LIST, { query });
  const read = async () => ({ ...(await api.get(LIST, { query })), path });
  return useAccountData<ListAnswer>(path, read, config);
}

/**
 * Reads the requested page of a list. While the call runs, returns the page shown before, if any.
 */
export function useList(mode: ListMode, settings: ListSettings) {
  const query = queryOf(mode, settings);
  const path = address(LIST, { query });
  const { data, error, isValidating, mutate } = useListPage(query, { keepPreviousData: true });
  const [loadedOnce, setSettled] = useState(data !== undefined);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), LOADED_MS);
    return () => clearTimeout(timer);
  }, []);

  const current = data?.path === path;
  const isPastLastPage = current && shownPage(settings) > Math.max(1, data.last_page);
  return {
    page: data,
    /** Whether `page` is the requested page and not past the last page. */
    current: current && !isPastLastPage,
    /** Whether the requested page is past the last page, because the list has become shorter. */
    past: isPastLastPage,
    loaded: loadedOnce && !isPastLastPage && (data !== undefined || error !== undefined),
    failed: error !== undefined && !current,
    retrying: isValidating,
    retry: () => void mutate(),
  };
}
