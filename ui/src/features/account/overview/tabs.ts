import { TABS, type Tab } from '../../../shared/account/AccountTabs';
import type { ListMode } from '../list/modes';

export const LISTS: Readonly<Record<Exclude<Tab, 'dashboard'>, ListMode>> = {
  policies: 'policy',
  quotes: 'quote',
  renewals: 'renewal',
};

/** Returns the section in the address, or the first section if the address has none. */
export function tabOf(name: string | null): Tab {
  return TABS.find(({ tab }) => tab === name)?.tab ?? 'dashboard';
}
