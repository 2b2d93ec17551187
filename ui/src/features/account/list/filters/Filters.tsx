import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedCallback } from '@mantine/hooks';
import { useId } from 'react';
import { useListedProducts, useListedStatuses } from '../../../../api/hooks';
import type { StatusId } from '../../../../api/types';
import { ChevronIcon, TickIcon } from '../../../../ui/icons/icons';
import { type ListMode, MODES, offeredStatuses } from '../modes';
import { isDefault, type ListFilter, noFilter } from '../settings';
import classes from './Filters.module.css';

/** The pause after the last typed letter before the list is read again, in milliseconds. */
export const TYPING_MS = 400;

interface Props {
  id: string;
  mode: ListMode;
  filter: ListFilter;
  onFilter: (patch: Partial<ListFilter>) => void;
  onClear: (() => void) | null;
}

interface StatusProps {
  mode: ListMode;
  chosen: StatusId[];
  onChoose: (statuses: StatusId[]) => void;
}

/** Shows a button for each status, if there are several. Without a selection the list shows the default statuses. */
function Statuses({ mode, chosen, onChoose }: StatusProps) {
  const { data: titles } = useListedStatuses();
  const label = useId();
  const offered = offeredStatuses(mode);
  const { statuses: defaultStatuses } = noFilter(mode);
  const isDefaultFilter = isDefault(mode, chosen);
  const named = offered.flatMap((id) => titles?.find((title) => title.status_id === id) ?? []);
  if (named.length < 2) return null;

  function toggle(id: StatusId) {
    const nextStatuses = isDefaultFilter
      ? [id]
      : offered.filter((s) => chosen.includes(s) !== (s === id));
    onChoose(nextStatuses.length > 0 ? nextStatuses : defaultStatuses);
  }

  return (
    <Stack role="group" aria-labelledby={label} gap="0.375rem">
      <Text span id={label} size="sm" fw={600}>
        Status
      </Text>
      <Group gap="xs">
        <Chip pressed={isDefaultFilter} onPress={() => onChoose(defaultStatuses)}>
          {offered.length > defaultStatuses.length ? 'Usual' : 'All'}
        </Chip>
        {named.map(({ status_id, status_title }) => (
          <Chip
            key={status_id}
            pressed={!isDefaultFilter && chosen.includes(status_id)}
            onPress={() => toggle(status_id)}
          >
            {status_title}
          </Chip>
        ))}
      </Group>
    </Stack>
  );
}

interface ChipProps {
  pressed: boolean;
  onPress: () => void;
  children: string;
}

function Chip({ pressed, onPress, children }: ChipProps) {
  return (
    <Button
      size="sm"
      radius="xl"
      variant={pressed ? 'outline' : 'default'}
      bg={pressed ? 'blue.0' : undefined}
      leftSection={pressed && <TickIcon size={16} />}
      aria-pressed={pressed}
      onClick={onPress}
    >
      {children}
    </Button>
  );
}

export function Filters({ id, mode, filter, onFilter, onClear }: Props) {
  const { data: products } = useListedProducts();
  const ask = useDebouncedCallback(
    (texts: Pick<ListFilter, 'policyHolder' | 'policyReference'>) => {
      const policyHolder = texts.policyHolder.trim();
      const policyReference = texts.policyReference.trim();
      const same =
        policyHolder === filter.policyHolder && policyReference === filter.policyReference;
      if (!same) onFilter({ policyHolder, policyReference });
    },
    TYPING_MS,
  );
  const form = useForm({
    initialValues: { policyHolder: filter.policyHolder, policyReference: filter.policyReference },
    onValuesChange: ask,
  });

  function field(name: keyof typeof form.values, label: string) {
    return (
      <TextInput
        {...form.getInputProps(name)}
        label={label}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        onKeyDown={(event) => {
          if (event.key === 'Enter') ask.flush();
        }}
      />
    );
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: some browsers do not know <search>
    <div
      id={id}
      role="search"
      aria-label={`Filter ${MODES[mode].plural}`}
      className={`panel screenOnly ${classes.panel}`}
    >
      <div className={classes.fields}>
        {field('policyHolder', 'Name')}
        {field('policyReference', 'Reference #')}
        {products && products.length > 1 && (
          <NativeSelect
            label="Product"
            rightSection={<ChevronIcon size={16} />}
            value={filter.products[0] ?? ''}
            onChange={(event) => {
              const product = event.currentTarget.value;
              onFilter({ products: product ? [product] : [] });
            }}
          >
            <option value="">All products</option>
            {products.map((product) => (
              <option key={product.identifier} value={product.identifier}>
                {product.product_title}
              </option>
            ))}
          </NativeSelect>
        )}
      </div>
      <Statuses
        mode={mode}
        chosen={filter.statuses}
        onChoose={(statuses) => onFilter({ statuses })}
      />
      {onClear && (
        <div>
          <Button type="button" variant="default" size="sm" onClick={onClear}>
            Clear filters
          </Button>
        </div>
      )}
    </div>
  );
}
