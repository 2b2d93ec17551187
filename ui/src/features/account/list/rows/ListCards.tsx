import { Button, NativeSelect } from '@mantine/core';
import { AppLink } from '../../../../ui/basics/AppLink';
import { ChevronIcon, PencilIcon } from '../../../../ui/icons/icons';
import { type Column, MODES } from '../modes';
import { NEWEST_FIRST, type Order } from '../settings';
import { cell, type RowsProps } from './cells';
import classes from './ListCards.module.css';
import { ReferenceText } from './RowText';
import { StatusChip } from './StatusChip';

const ORDERS: Record<Column['kind'], readonly [string, string]> = {
  text: ['A to Z', 'Z to A'],
  date: ['earliest first', 'latest first'],
  amount: ['lowest first', 'highest first'],
};

const DIRECTIONS = [false, true] as const;

/**
 * Returns the sort orders for a list without column headings: newest first, then each column in
 * both directions.
 */
function orders(columns: Column[]): { name: string; order: Order }[] {
  const sorted = columns.flatMap(({ key, label, kind }) =>
    DIRECTIONS.map((descending) => ({
      name: `${label}: ${ORDERS[kind][descending ? 1 : 0]}`,
      order: { sortBy: key, descending },
    })),
  );
  return [{ name: 'Newest first', order: NEWEST_FIRST }, ...sorted];
}

const keyOf = ({ sortBy, descending }: Order) => `${sortBy} ${descending}`;

interface SortProps {
  columns: Column[];
  order: Order;
  onSort: (order: Order) => void;
}

export function SortSelect({ columns, order, onSort }: SortProps) {
  const offered = orders(columns);
  return (
    <NativeSelect
      label="Sort by"
      rightSection={<ChevronIcon size={16} />}
      value={keyOf(order)}
      onChange={(event) => {
        const chosen = offered.find((item) => keyOf(item.order) === event.currentTarget.value);
        if (chosen) onSort(chosen.order);
      }}
    >
      {offered.map((item) => (
        <option key={keyOf(item.order)} value={keyOf(item.order)}>
          {item.name}
        </option>
      ))}
    </NativeSelect>
  );
}

/** Shows the rows as cards, on screens too narrow for the table. */
export function ListCards({ columns, items, ...rest }: RowsProps) {
  const status = columns.some((column) => column.key === 'status_id');
  const facts = columns.filter(({ key }) => key !== 'custom_id' && key !== 'status_id');
  return (
    <ul className={classes.cards}>
      {items.map((item) => {
        const { to, label } = MODES[rest.mode].open(item);
        return (
          <li key={item.policy_uuid} className={`panel ${classes.card}`}>
            <div className={classes.head}>
              <h2 className={classes.title}>
                <ReferenceText item={item} />
              </h2>
              {status && (
                <StatusChip
                  id={item.status_id}
                  title={item.status_title}
                  begins={item.cover_begins}
                />
              )}
            </div>
            <dl className={classes.facts}>
              {facts.map((column) => (
                <div key={column.key} data-kind={column.kind}>
                  <dt>{column.label}</dt>
                  <dd>{cell(column, item, rest)}</dd>
                </div>
              ))}
            </dl>
            <Button
              component={AppLink}
              to={to}
              variant="default"
              fullWidth
              leftSection={<PencilIcon size={18} />}
              aria-label={`${label} ${item.custom_id}`}
            >
              {label}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
