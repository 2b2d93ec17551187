import type { ReactNode } from 'react';
import type { ListItem } from '../../../../api/types';
import { STATUS } from '../../../../api/types';
import { formatDate, lastMoment } from '../../../../lib/dates/dates';
import { formatAmount } from '../../../../lib/format/money';
import type { MoneyFormat } from '../../../../lib/storage/preferences';
import type { Column, ListMode } from '../modes';
import { RelativeTime } from './RelativeTime';
import { MinorText, ReferenceText } from './RowText';
import { StatusChip } from './StatusChip';

export interface RowsProps {
  mode: ListMode;
  columns: Column[];
  items: ListItem[];
  money: MoneyFormat;
}

const EMPTY_CELL = '–';

/**
 * Formats the premium of a live policy or a quote for sale. Returns "N/A" for every other status.
 */
function premium(item: ListItem, money: MoneyFormat): string {
  const priced = item.status_id === STATUS.quote || item.status_id === STATUS.live;
  return priced ? formatAmount(item.amount_total, item.currency, money) : 'N/A';
}

function plainDate(date: string | null): string {
  return date ? formatDate(date) : EMPTY_CELL;
}

function expiry(item: ListItem, mode: ListMode): ReactNode {
  if (mode === 'renewal' && item.date_quote_expiry) {
    return (
      <>
        {plainDate(item.date_expiry)}{' '}
        <MinorText>Buy by {formatDate(lastMoment(item.date_quote_expiry))}</MinorText>
      </>
    );
  }
  return plainDate(item.date_expiry);
}

export function cell(
  column: Column,
  item: ListItem,
  { mode, money }: Pick<RowsProps, 'mode' | 'money'>,
): ReactNode {
  switch (column.key) {
    case 'custom_id':
      return <ReferenceText item={item} />;
    case 'status_id':
      return (
        <StatusChip id={item.status_id} title={item.status_title} begins={item.cover_begins} />
      );
    case 'holder_name':
      return item.holder_name.trim() || EMPTY_CELL;
    case 'date_created':
      return <RelativeTime timestamp={item.date_created} isPast />;
    case 'date_inception':
      return plainDate(item.date_inception);
    case 'date_quote_expiry':
      return item.date_quote_expiry ? (
        <RelativeTime timestamp={item.date_quote_expiry} end />
      ) : (
        EMPTY_CELL
      );
    case 'date_expiry':
      return expiry(item, mode);
    case 'amount_total':
      return premium(item, money);
  }
}
