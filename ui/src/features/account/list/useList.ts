import { useEffect, useState } from 'react';
import { api } from '../../../api/client';
import type { ListPage } from '../../../api/types';
import { useAccountData } from '../useAccountData';
import { type ListMode, MODES } from './modes';
import { type ListSettings, shownPage } from './settings';

/** A list counts as loaded no sooner, so that its shape does not flash by. */
export const LOADED_MS = 300;

/** The call of a list: what is empty isn't asked for, what are several is repeated. */
export function listPath(
  query: Record<string, string | number | boolean>,
  statuses: readonly number[],
  flags: readonly (readonly [string, string])[],
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== '') params.append(name, String(value));
  }
  for (const status of statuses) params.append('quoteStatus[]', String(status));
  for (const [name, value] of flags) params.append(name, value);
  return `/api/v2/policy/list?${params}`;
}

export function pathOf(mode: ListMode, settings: ListSettings): string {
  const { filter } = settings;
  return listPath(
    {
      page: settings.page,
      limit: settings.rowsPerPage,
      sortBy: settings.sortBy,
      desc: settings.descending,
      productID: filter.products[0] ?? '',
      policyID: filter.policyReference,
      policyHolder: filter.policyHolder,
    },
    filter.statuses,
    MODES[mode].flags,
  );
}

interface Answer extends ListPage {
  /** What it answers. */
  path: string;
}

async function read(path: string): Promise<Answer> {
  return { ...(await api.get<ListPage>(path)), path };
}

/** The page asked for; while it is on its way, the one before it. */
export function useList(mode: ListMode, settings: ListSettings) {
  const path = pathOf(mode, settings);
  const { data, error, isValidating, mutate } = useAccountData<Answer>(
    path,
    { keepPreviousData: true },
    read,
  );
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
