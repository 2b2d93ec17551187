import type { Params } from '../../../api/operations';
import { type ListItem, STATUS, type StatusId } from '../../../api/types';
import { paths } from '../../../lib/routes/paths';

export type ListMode = 'policy' | 'quote' | 'renewal';

/** The fields that the API can sort by. */
export type SortKey =
  | 'id'
  | 'custom_id'
  | 'status_id'
  | 'holder_name'
  | 'date_created'
  | 'date_inception'
  | 'date_quote_expiry'
  | 'date_expiry'
  | 'amount_total';

export interface Column {
  key: Exclude<SortKey, 'id'>;
  label: string;
  kind: 'text' | 'date' | 'amount';
}

/** The query of the list's call. */
export type ListQuery = NonNullable<Params<'get', '/api/v2/policy/list'>['query']>;

interface ListTexts {
  title: string;
  /** The noun after a number: "1 policy", "2 policies". */
  singular: string;
  plural: string;
  /** The storage name of the list's settings. */
  route: string;
  /** The statuses that are shown without a selection. */
  statuses: readonly StatusId[];
  /** The statuses that the list shows only if the user selects them, such as lapsed quotes. */
  extraStatuses: readonly StatusId[];
  flags: Pick<ListQuery, 'flags[]' | 'exclude_flags[]'>;
  expiry: Column;
  open: (item: ListItem) => { to: string; label: string };
}

const edit: ListTexts['open'] = (item) => ({
  to: paths.quoteEdit(item.policy_uuid),
  label: 'Edit quote',
});

const EXPIRES: Column = { key: 'date_expiry', label: 'Expires', kind: 'date' };

export const MODES: Readonly<Record<ListMode, ListTexts>> = {
  policy: {
    title: 'Policies',
    singular: 'policy',
    plural: 'policies',
    route: 'dashboard-policies',
    statuses: [5, 8, 15, 16],
    extraStatuses: [],
    flags: {},
    expiry: EXPIRES,
    open: (item) => ({ to: paths.policyView(item.policy_uuid), label: 'View policy' }),
  },
  quote: {
    title: 'Quotes',
    singular: 'quote',
    plural: 'quotes',
    route: 'dashboard-quotes',
    statuses: [1, 2, 7, 14, 30, 31],
    extraStatuses: [STATUS.lapsed],
    flags: { 'exclude_flags[]': ['renewal_quote'] },
    expiry: { key: 'date_quote_expiry', label: 'Quote Expires', kind: 'date' },
    open: edit,
  },
  renewal: {
    title: 'Renewal Quotes',
    singular: 'renewal quote',
    plural: 'renewal quotes',
    route: 'dashboard-renewals',
    // A bought renewal is a policy, so the list of policies shows it.
    statuses: [STATUS.quote, STATUS.draft, STATUS.refer, STATUS.declined],
    extraStatuses: [STATUS.notTakenUp, STATUS.lapsed],
    flags: { 'flags[]': ['renewal_quote'] },
    expiry: EXPIRES,
    open: edit,
  },
};

/** Returns all statuses that the list's filter offers. */
export function offeredStatuses(mode: ListMode): StatusId[] {
  return [...MODES[mode].statuses, ...MODES[mode].extraStatuses];
}

/** Returns the columns of a list, in order. The list can be sorted by every column. */
export function columnsOf(mode: ListMode, status: boolean): Column[] {
  const columns: Column[] = [
    { key: 'custom_id', label: 'Reference #', kind: 'text' },
    { key: 'status_id', label: 'Status', kind: 'text' },
    { key: 'holder_name', label: 'Name', kind: 'text' },
    { key: 'date_created', label: 'Created At', kind: 'date' },
    { key: 'date_inception', label: 'Inception Date', kind: 'date' },
    MODES[mode].expiry,
    { key: 'amount_total', label: 'Premium', kind: 'amount' },
  ];
  return status ? columns : columns.filter((column) => column.key !== 'status_id');
}

export function formatCount(mode: ListMode, total: number): string {
  return `${total} ${total === 1 ? MODES[mode].singular : MODES[mode].plural}`;
}
