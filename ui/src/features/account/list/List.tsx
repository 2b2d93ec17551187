import { Button, Container, Group, Skeleton, Stack, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ListPage } from '../../../api/types';
import { preferencesOf } from '../../../lib/storage/preferences';
import { useFocusAfterLogin } from '../../../shared/login/loginFocus';
import { RetryLine } from '../../../ui/feedback/RetryLine';
import { FilterIcon } from '../../../ui/icons/icons';
import { Empty } from './Empty';
import { Filters } from './filters/Filters';
import classes from './List.module.css';
import { columnsOf, formatCount, type ListMode, MODES } from './modes';
import { Pager } from './Pager';
import { ListCards, SortSelect } from './rows/ListCards';
import { ListTable } from './rows/ListTable';
import { filtersInUse, noFilter, shownPage, toApiPage, useListSettings } from './settings';
import { useList } from './useList';

/** Matches windows that are too narrow for the table's columns. */
export const NARROW = '(max-width: 62em)';

interface Props {
  mode: ListMode;
  /**
   * The uuid of the user, for the stored settings and the money format. Null if nobody is logged
   * in.
   */
  user: string | null;
  status?: boolean;
}

function Shape() {
  return (
    <Stack gap="sm" className="panel" aria-hidden="true">
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} height={56} />
      ))}
    </Stack>
  );
}

function summary(mode: ListMode, page: ListPage): string {
  const first = (page.current_page - 1) * page.per_page + 1;
  const last = first + page.data.length - 1;
  if (page.data.length === 0) return formatCount(mode, page.total);
  return first === last && page.total === 1
    ? formatCount(mode, 1)
    : `Showing ${first} to ${last} of ${formatCount(mode, page.total)}`;
}

export function List({ mode, user, status = true }: Props) {
  const info = MODES[mode];
  const { settings, change, sort, filter } = useListSettings(user, mode);
  const list = useList(mode, settings);
  const { page, current, past, loaded, failed } = list;
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const columns = useMemo(() => columnsOf(mode, status), [mode, status]);
  const money = useMemo(() => preferencesOf(user).money, [user]);

  const inUse = filtersInUse(mode, settings.filter);
  const [open, setOpen] = useState(inUse > 0);
  // A new key resets the filters' inputs, including text that the user is still typing.
  const [resetCount, setResetCount] = useState(0);
  const heading = useFocusAfterLogin();
  const top = useRef<HTMLDivElement>(null);
  const ids = { heading: useId(), filters: useId() };

  useEffect(() => {
    if (!page) return;
    if (past) change({ page: toApiPage(page.last_page) });
    else if (current) change({ totalItems: page.total, totalPages: page.last_page });
  }, [page, past, current, change]);

  // The button "Clear filters" disappears after its use, so the heading gets the focus.
  function clear() {
    filter(noFilter(mode));
    setResetCount(resetCount + 1);
    heading.current?.focus();
  }

  function goTo(number: number) {
    change({ page: toApiPage(number) });
    if (narrow) top.current?.scrollIntoView?.({ block: 'start' });
  }

  const order = { sortBy: settings.sortBy, descending: settings.descending };
  const onClear = inUse > 0 ? clear : null;
  const rows = loaded && !failed && page && page.total > 0 ? page : null;
  const empty = loaded && !failed && page?.total === 0;
  const shared = { mode, columns, money, items: rows?.data ?? [] };

  return (
    <Container size={1140}>
      <div className={classes.list}>
        <Group justify="space-between" gap="0.5rem 1rem" mih="2.75rem">
          <Title order={1} id={ids.heading} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
            {info.title}
          </Title>
          {loaded && (rows || inUse > 0 || open || info.extraStatuses.length > 0) && (
            <Button
              variant="default"
              size="sm"
              className="screenOnly"
              leftSection={<FilterIcon size={18} />}
              aria-expanded={open}
              aria-controls={open ? ids.filters : undefined}
              onClick={() => setOpen(!open)}
            >
              {inUse > 0 ? `Filter (${inUse} in use)` : 'Filter'}
            </Button>
          )}
        </Group>
        {loaded && open && (
          <Filters
            key={resetCount}
            id={ids.filters}
            mode={mode}
            filter={settings.filter}
            onFilter={filter}
            onClear={empty ? null : onClear}
          />
        )}
        <div ref={top} className={classes.above} data-silent={!rows || undefined}>
          <p role="status" className={rows ? 'hint tabular' : classes.hidden}>
            {!loaded && `Loading ${info.plural}`}
            {loaded && !failed && page && summary(mode, page)}
          </p>
          {rows && narrow && <SortSelect columns={columns} order={order} onSort={sort} />}
        </div>
        {!loaded && <Shape />}
        {loaded && failed && (
          <div className="panel">
            <RetryLine
              text={`Your ${info.plural} could not be loaded.`}
              read={{ isValidating: list.retrying, mutate: list.retry }}
            />
          </div>
        )}
        <div
          aria-busy={!current && !failed}
          data-waiting={!current || undefined}
          className={classes.body}
        >
          {empty && <Empty mode={mode} onClear={onClear} />}
          {rows && narrow && <ListCards {...shared} />}
          {rows && !narrow && (
            <div className={`panel ${classes.rows}`}>
              <ListTable {...shared} order={order} onSort={sort} labelledBy={ids.heading} />
            </div>
          )}
        </div>
        {rows && <Pager page={shownPage(settings)} last={rows.last_page} onPage={goTo} />}
      </div>
    </Container>
  );
}
