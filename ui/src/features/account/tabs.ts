import { paths } from '../../lib/paths';
import type { ListMode } from './list/modes';

export type Tab = 'dashboard' | 'policies' | 'quotes' | 'renewals';

export const TABS: readonly { tab: Tab; label: string; to: string }[] = [
  { tab: 'dashboard', label: 'Dashboard', to: paths.dashboard() },
  { tab: 'policies', label: 'Policies', to: paths.dashboard('policies') },
  { tab: 'quotes', label: 'Quotes', to: paths.dashboard('quotes') },
  { tab: 'renewals', label: 'Renewal Quotes', to: paths.dashboard('renewals') },
];

export const LISTS: Readonly<Record<Exclude<Tab, 'dashboard'>, ListMode>> = {
  policies: 'policy',
  quotes: 'quote',
  renewals: 'renewal',
};

/** The section in the address; the first one if there is none. */
export function tabOf(name: string | null): Tab {
  return TABS.find(({ tab }) => tab === name)?.tab ?? 'dashboard';
}
