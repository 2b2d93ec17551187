import { ActionIcon } from '@mantine/core';
import { AppLink } from '../../../../ui/basics/AppLink';
import { ChevronIcon, PencilIcon } from '../../../../ui/icons/icons';
import { type Column, MODES } from '../modes';
import { nextOrder, type Order } from '../settings';
import { cell, type RowsProps } from './cells';
import classes from './ListTable.module.css';

interface Props extends RowsProps {
  order: Order;
  onSort: (order: Order) => void;
  labelledBy: string;
}

interface HeadingProps {
  column: Column;
  order: Order;
  onSort: (order: Order) => void;
}

function Heading({ column, order, onSort }: HeadingProps) {
  const direction = order.descending ? 'descending' : 'ascending';
  const sorted = order.sortBy === column.key ? direction : 'none';
  return (
    <th scope="col" aria-sort={sorted} data-kind={column.kind}>
      <button
        type="button"
        className={classes.sort}
        onClick={() => onSort(nextOrder(order, column.key))}
      >
        {column.label}
        <span className={classes.arrow} data-sorted={sorted}>
          <ChevronIcon size={14} />
        </span>
      </button>
    </th>
  );
}

export function ListTable({ columns, items, order, onSort, labelledBy, ...rest }: Props) {
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-labelledby={labelledBy}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.key} column={column} order={order} onSort={onSort} />
            ))}
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => {
            const { to, label } = MODES[rest.mode].open(item);
            return (
              <tr key={item.policy_uuid}>
                {columns.map((column, index) => {
                  const Cell = index === 0 ? 'th' : 'td';
                  return (
                    <Cell
                      key={column.key}
                      scope={index === 0 ? 'row' : undefined}
                      data-kind={column.kind}
                      data-column={column.key}
                    >
                      {cell(column, item, rest)}
                    </Cell>
                  );
                })}
                <td>
                  <ActionIcon
                    component={AppLink}
                    to={to}
                    variant="default"
                    size="2.75rem"
                    radius="sm"
                    c="var(--layby-action)"
                    aria-label={`${label} ${item.custom_id}`}
                    title={label}
                  >
                    <PencilIcon />
                  </ActionIcon>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
