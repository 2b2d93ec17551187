import { TABS, type Tab } from '../../../shared/account/AccountTabs';
import type { ListMode } from '../list/modes';

export const LISTS: Readonly<Record<Exclude<Tab, 'dashboard'>, ListMode>> = {
  policies: 'policy',
  quotes: 'quote',
  renewals: 'renewal',
};

/** The section in the address; the first one if there is none. */
export function tabOf(name: string | null): Tab {
  return TABS.find(({ tab }) => tab === name)?.tab ?? 'dashboard';
}
