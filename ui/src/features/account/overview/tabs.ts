import { TABS, type Tab } from '../../../shared/account/AccountTabs';
import type { ListMode } from '../list/modes';

export const LISTS: Readonly<Record<Exclude<Tab, 'dashboard' | 'payments'>, ListMode>> = {
  policies: 'policy',
  quotes: 'quote',
  renewals: 'renewal',
};

/**
 * Returns the dashboard's section with this name, or the first section if no section has the name.
 */
export function tabOf(name: string | null): Tab {
  return TABS.find(({ tab }) => tab === name)?.tab ?? 'dashboard';
}
