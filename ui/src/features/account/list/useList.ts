import { useEffect, useState } from 'react';
import type { SWRConfiguration } from 'swr';
import { address, api } from '../../../api/client';
import type { ListPage } from '../../../api/types';
import { useAccountData } from '../useAccountData';
import { type ListMode, type ListQuery, MODES } from './modes';
import { type ListSettings, shownPage } from './settings';

/** A list counts as loaded no sooner, so that its shape does not flash by. */
export const LOADED_MS = 300;

const LIST = '/api/v2/policy/list';

/** What is empty isn't asked for. */
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
  /** The address it answers. */
  path: string;
}

/** A page of a list, kept under its address. */
export function useListPage(query: ListQuery, config: SWRConfiguration<ListAnswer> = {}) {
  const path = address(LIST, { query });
  const read = async () => ({ ...(await api.get(LIST, { query })), path });
  return useAccountData<ListAnswer>(path, read, config);
}

/** The page asked for; while it is on its way, the one before it. */
export function useList(mode: ListMode, settings: ListSettings) {
  const query = queryOf(mode, settings);
  const path = address(LIST, { query });
  const { data, error, isValidating, mutate } = useListPage(query, { keepPreviousData: true });
  const [settled, setSettled] = useState(data !== undefined);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), LOADED_MS);
    return () => clearTimeout(timer);
  }, []);

  const current = data?.path === path;
  const past = current && shownPage(settings) > Math.max(1, data.last_page);
  return {
    page: data,
    /** The page shown is the one asked for. */
    current: current && !past,
    /** Rows went away: the page asked for lies behind the last one. */
    past,
    loaded: settled && !past && (data !== undefined || error !== undefined),
    failed: error !== undefined && !current,
    retrying: isValidating,
    retry: () => void mutate(),
  };
}
